import { resource } from '../../operation/resource.ts'
import { aiMetricHours } from './ai-metric-hour.ts'
import * as operations from './operations.ts'

export const aiConfigMetrics = resource({
  title: 'AI config metrics',
  description: 'Tokens, durations, successes, feedback and scores of AI configs, from the events of SDKs.',
  collections: [aiMetricHours],
  operations: Object.values(operations),
  parameters: {
    configKey: 'Key of the AI config.',
    env: 'Key of the environment.',
  },
})
