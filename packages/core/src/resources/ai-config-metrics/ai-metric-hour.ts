import type { VariationSums } from '../../rules/ai-metrics/ai-metric-sums.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** Sums of the measurements of an AI config in an environment in one hour. Deleted with the config. */
export interface AIMetricHour extends Versioned {
  readonly configKey: string
  /** Start of the hour: integer ms, UTC. */
  readonly from: number
  /** One for each variation and version that was measured. */
  readonly variations: readonly VariationSums[]
}

export const aiMetricHours = documents<AIMetricHour>()({
  name: 'ai-metric-hour',
  address: 'proj/{projectKey}:env/{environmentKey}:aiconfig/{configKey}:metric-hour/{from}',
  fields: ({ from }) => ({ from }),
})

/** Length of an hour in ms. */
export const hourMs = 60 * 60 * 1000

/** Number of days for which sums are kept, which is also the maximum number of days of a query. */
export const retentionDays = 100

/** Length of a day in ms. */
export const dayMs = 24 * hourMs
