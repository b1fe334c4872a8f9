import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { flagChanges, releaseColumns } from '../../models/flags/flag-changes.ts'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import { releaseFrequencyChart } from '../../rules/insight-charts/index.ts'
import { axisOf, chartQuery, oneOf } from './chart-query-response.ts'
import { releaseFrequencyResponse, serializeCountChart } from './count-chart-response.ts'

export const getReleaseFrequencyChart = operation({
  id: 'getReleaseFrequencyChart',
  summary: 'Get a chart of the frequency with which feature flags are turned on or serve other variations',
  method: 'GET',
  path: '/api/v2/engineering-insights/charts/releases/frequency',
  beta: 'tagged',
  query: v.object({ ...chartQuery, groupBy: v.optional(oneOf(['kind'])), expand: expand('metrics') }),
  success: { status: 200, body: releaseFrequencyResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const { tx, fail } = context
    const axis = axisOf(context, query)
    const { from, to } = axis
    const [environment, changes] = await Promise.all([
      tx.get(environments, query),
      tx.scan(flagChanges, query, { from, to, columns: releaseColumns }),
    ])
    if (!environment) fail('not_found')
    return serializeCountChart('releaseFrequency', releaseFrequencyChart(changes, { ...axis, groupBy: query.groupBy }))
  },
})
