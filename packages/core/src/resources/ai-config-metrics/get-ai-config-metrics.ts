import { operation } from '../../operation/operation.ts'
import { aiMetricsResponse, serializeAIMetrics } from './ai-metrics-response.ts'
import { aiMetricsQuery, readAIMetrics } from './read-ai-metrics.ts'

export const getAIConfigMetrics = operation({
  id: 'getAIConfigMetrics',
  summary: 'Get the metrics of an AI config in an environment over at most 100 days',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}/metrics',
  query: aiMetricsQuery,
  success: { status: 200, body: aiMetricsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, input) {
    return serializeAIMetrics(await readAIMetrics(context, input))
  },
})
