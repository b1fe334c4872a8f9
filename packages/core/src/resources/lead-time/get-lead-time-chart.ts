import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { commaList, expand, integer, key, moment } from '../../operation/schema.ts'
import { bucketCount, leadTimeChart } from '../../rules/lead-time/index.ts'
import { environments } from '../environments/environment.ts'
import { leadTimeChartWire, presentLeadTimeChart } from './lead-time-chart-wire.ts'
import { readLeadTimes } from './read-lead-times.ts'

const day = 86_400_000
const mostBuckets = 2000

const oneOf = <const Value extends string>(...values: readonly Value[]) =>
  v.picklist(values, `must be one of ${values.join(', ')}`)

export const getLeadTimeChart = operation({
  id: 'getLeadTimeChart',
  summary: 'Chart how long changes take from first commit to deployment',
  method: 'GET',
  path: '/api/v2/engineering-insights/charts/lead-time',
  beta: 'tagged',
  query: v.object({
    projectKey: key(),
    environmentKey: key(),
    applicationKey: v.optional(commaList()),
    from: v.optional(moment()),
    to: v.optional(moment()),
    bucketType: v.optional(oneOf('rolling', 'hour', 'day'), 'rolling'),
    bucketMs: v.optional(integer(1, Number.MAX_SAFE_INTEGER), day),
    groupBy: v.optional(oneOf('application', 'stage'), 'stage'),
    expand: expand('metrics', 'percentiles'),
  }),
  success: { status: 200, body: leadTimeChartWire },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const { tx, now, fail } = context
    const { from = now - 7 * day, to = now, bucketType, bucketMs, groupBy } = query
    if (from >= to) fail('invalid_request', { errors: [{ attribute: 'from', reason: 'must be before to' }] })
    const axis = { from, to, bucketType, bucketMs }
    if (bucketCount(axis) > mostBuckets) {
      const reason = `must be so long that the range has at most ${mostBuckets} buckets`
      fail('invalid_request', { errors: [{ attribute: 'bucketMs', reason }] })
    }
    if (!(await tx.get(environments, query))) fail('not_found')
    // `applicationKey=` names none, which is not to ask for none.
    const applications = query.applicationKey?.length ? query.applicationKey : undefined
    const question = { ...axis, groupBy, percentiles: query.expand.includes('percentiles'), applications }
    const { samples, parts } = await readLeadTimes(tx, query, question)
    return presentLeadTimeChart(leadTimeChart(samples, question, parts), query)
  },
})
