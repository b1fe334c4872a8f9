import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { list } from '../../operation/schema.ts'
import { aiMetricsResponse, serializeAIMetrics } from './ai-metrics-response.ts'
import { aiMetricsQuery, readAIMetrics } from './read-ai-metrics.ts'

export const getAIConfigMetricsByVariation = operation({
  id: 'getAIConfigMetricsByVariation',
  summary: 'Get the metrics of each variation of an AI config in an environment over at most 100 days',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}/metrics-by-variation',
  query: aiMetricsQuery,
  success: { status: 200, body: list(v.object({ variationKey: v.string(), metrics: aiMetricsResponse })) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, input) {
    const parts = await readAIMetrics(context, input)
    const variationKeys = [...new Set(parts.map(({ variationKey }) => variationKey))].sort()
    return variationKeys.map((variationKey) => ({
      variationKey,
      metrics: serializeAIMetrics(parts.filter((part) => part.variationKey === variationKey)),
    }))
  },
})
