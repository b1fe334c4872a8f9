import * as v from 'valibot'
import { deploymentEvents } from '../../models/deployments/deployment.ts'
import { environments } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import {
  type CountChart,
  deploymentColumns,
  deploymentFrequencyChart,
  deploymentGroups,
} from '../../rules/insight-charts/index.ts'
import { applicationQuery, selectedApplications } from './application-query.ts'
import { axisOf, chartQuery, oneOf } from './chart-query-response.ts'
import { deploymentFrequencyResponse, serializeCountChart, serializeMetric } from './count-chart-response.ts'

export const getDeploymentFrequencyChart = operation({
  id: 'getDeploymentFrequencyChart',
  summary: 'Get a chart of the frequency of successful deployments',
  method: 'GET',
  path: '/api/v2/engineering-insights/charts/deployments/frequency',
  beta: 'tagged',
  query: v.object({
    ...chartQuery,
    ...applicationQuery,
    groupBy: v.optional(oneOf(deploymentGroups)),
    expand: expand('metrics'),
  }),
  success: { status: 200, body: deploymentFrequencyResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const { tx, fail } = context
    const { from, to, ...buckets } = axisOf(context, query)
    const applicationKeys = selectedApplications(query)
    const columns = Object.keys(deploymentColumns).length
    const [environment, events] = await Promise.all([
      tx.get(environments, query),
      tx.scan(deploymentEvents, query, { from, to, columns, ...(applicationKeys ? { labels: applicationKeys } : {}) }),
    ])
    if (!environment) fail('not_found')
    const metrics = query.expand.includes('metrics')
    const chart = deploymentFrequencyChart(events, {
      from,
      to,
      ...buckets,
      groupBy: query.groupBy,
      applications: applicationKeys,
      metrics,
    })
    return serializeCountChart('deploymentFrequency', chart, metrics ? metricOf(chart) : {})
  },
})

/** Returns the metric of the chart. Its indicator is `notCalculated` when the range has no deployment events. */
function metricOf({ summary: { finished = 0, failed = 0, started = 0, perDay = 0 } }: CountChart) {
  const hasData = finished + failed + started > 0
  return serializeMetric('deploymentFrequency', { value: perDay, unit: 'count', modifier: 'per day', hasData })
}
