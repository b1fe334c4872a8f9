export { getAIConfigMetrics } from './get-ai-config-metrics.ts'
export { getAIConfigMetricsByVariation } from './get-ai-config-metrics-by-variation.ts'
export { getAIConfigQuickStats } from './get-ai-config-quick-stats.ts'
