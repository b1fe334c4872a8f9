import { type AIMetricEvent, type SumName, sumNames } from './ai-metric-event.ts'

/** Sums of measurements; a sum that is missing is 0. */
export interface AIMetricSums {
  readonly sums: Readonly<Partial<Record<SumName, number>>>
  /** Scores of judges by the key of their metric. */
  readonly scores: Readonly<Record<string, ScoreSum>>
}

/** Sum and number of scores. */
export interface ScoreSum {
  readonly sum: number
  readonly count: number
}

/** The sums of one version of a variation. */
export interface VariationSums extends AIMetricSums {
  readonly variationKey: string
  /** Revision of the variation; 0 when it is not known. */
  readonly variationVersion: number
}

/** Maximum number of metrics of judges in the sums of a variation; scores for further ones are ignored. */
const maxScoredMetrics = 50

/** Returns the sums of no measurement. */
export const noSums: AIMetricSums = { sums: {}, scores: {} }

/**
 * Adds measurements to the sums of their variations and versions.
 *
 * @param before sums by variation and version, which stay unchanged.
 */
export function addEvents(before: readonly VariationSums[], events: readonly AIMetricEvent[]): VariationSums[] {
  const after = new Map(before.map((entry) => [nameOf(entry), copyOf(entry)]))
  for (const event of events) {
    const { variationKey, variationVersion, measurement } = event
    const entry = after.get(nameOf(event)) ?? copyOf({ variationKey, variationVersion, ...noSums })
    after.set(nameOf(event), entry)
    if (measurement.kind === 'sum') {
      add(entry.sums, measurement.name, measurement.value)
      if (measurement.counted) add(entry.sums, measurement.counted, 1)
    } else {
      const { metricKey, score } = measurement
      if (entry.scores.size < maxScoredMetrics || entry.scores.has(metricKey))
        addScore(entry.scores, metricKey, { sum: score, count: 1 })
    }
  }
  return [...after.values()].map(({ scores, ...entry }) => ({ ...entry, scores: Object.fromEntries(scores) }))
}

/** Adds up the sums of several parts. */
export function totalSums(parts: readonly AIMetricSums[]): AIMetricSums {
  const total = { sums: {}, scores: new Map<string, ScoreSum>() }
  for (const { sums, scores } of parts) {
    for (const name of sumNames) if (sums[name] !== undefined) add(total.sums, name, sums[name])
    for (const [metricKey, score] of Object.entries(scores)) addScore(total.scores, metricKey, score)
  }
  return { sums: total.sums, scores: Object.fromEntries(total.scores) }
}

/** A map holds the scores, because the key of a metric can be the name of a property of every object. */
interface MutableSums {
  readonly variationKey: string
  readonly variationVersion: number
  readonly sums: Partial<Record<SumName, number>>
  readonly scores: Map<string, ScoreSum>
}

function copyOf({ sums, scores, ...entry }: VariationSums): MutableSums {
  return { ...entry, sums: { ...sums }, scores: new Map(Object.entries(scores)) }
}

function add(sums: Partial<Record<SumName, number>>, name: SumName, value: number): void {
  sums[name] = (sums[name] ?? 0) + value
}

function addScore(scores: Map<string, ScoreSum>, metricKey: string, { sum, count }: ScoreSum): void {
  const before = scores.get(metricKey)
  scores.set(metricKey, { sum: (before?.sum ?? 0) + sum, count: (before?.count ?? 0) + count })
}

function nameOf({ variationKey, variationVersion }: Pick<VariationSums, 'variationKey' | 'variationVersion'>): string {
  return `${variationVersion}:${variationKey}`
}
