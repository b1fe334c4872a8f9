import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import { flagStatusChart } from '../../rules/insight-charts/index.ts'
import { axisOf, chartQuery } from './chart-query-response.ts'
import { flagStatusChartResponse, serializeCountChart } from './count-chart-response.ts'
import { readFlagHistories } from './read-flag-histories.ts'

export const getFlagStatusChart = operation({
  id: 'getFlagStatusChart',
  summary: 'Get a chart of the number of new, active, launched and inactive feature flags',
  method: 'GET',
  path: '/api/v2/engineering-insights/charts/flags/status',
  beta: 'tagged',
  query: v.object({ ...chartQuery, expand: expand('metrics') }),
  success: { status: 200, body: flagStatusChartResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const axis = axisOf(context, query)
    const flags = (await readFlagHistories(context, query, axis)) ?? context.fail('not_found')
    return serializeCountChart('flagStatus', flagStatusChart(flags, axis, context.readClock()))
  },
})
