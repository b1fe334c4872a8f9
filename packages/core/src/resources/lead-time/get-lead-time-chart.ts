import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import { leadTimeChart } from '../../rules/lead-time/index.ts'
import { applicationQuery, selectedApplications } from '../insight-charts/application-query.ts'
import { axisOf, chartQuery, oneOf } from '../insight-charts/chart-query-response.ts'
import { leadTimeChartResponse, serializeLeadTimeChart } from './lead-time-chart-response.ts'
import { readLeadTimes } from './read-lead-times.ts'

export const getLeadTimeChart = operation({
  id: 'getLeadTimeChart',
  summary: 'Get a chart of the time that changes take from first commit to deployment',
  method: 'GET',
  path: '/api/v2/engineering-insights/charts/lead-time',
  beta: 'tagged',
  query: v.object({
    ...chartQuery,
    ...applicationQuery,
    groupBy: v.optional(oneOf(['application', 'stage']), 'stage'),
    expand: expand('metrics', 'percentiles'),
  }),
  success: { status: 200, body: leadTimeChartResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const { tx, fail } = context
    const axis = axisOf(context, query)
    if (!(await tx.get(environments, query))) fail('not_found')
    const chartQueryOptions = {
      ...axis,
      groupBy: query.groupBy,
      percentiles: query.expand.includes('percentiles'),
      applications: selectedApplications(query),
    }
    const { samples, parts } = await readLeadTimes(tx, query, chartQueryOptions)
    return serializeLeadTimeChart(leadTimeChart(samples, chartQueryOptions, parts), query)
  },
})
