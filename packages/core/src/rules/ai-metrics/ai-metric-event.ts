/** A measurement of one generation of an AI config, from an event of the tracker for AI configs. */
export interface AIMetricEvent {
  readonly configKey: string
  readonly variationKey: string
  /** Revision of the variation, as the sender names it. */
  readonly variationVersion: number
  /** Integer ms, UTC. */
  readonly at: number
  readonly measurement: Measurement
}

/** A number that is added to sums, or the score of a judge for a metric. */
export type Measurement =
  | { readonly kind: 'sum'; readonly name: SumName; readonly value: number; readonly counted?: SumName }
  | { readonly kind: 'score'; readonly metricKey: string; readonly score: number }

/** Names of the sums of an AI config. */
export const sumNames = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'successes',
  'errors',
  'thumbsUp',
  'thumbsDown',
  'durations',
  'durationMs',
  'firstTokens',
  'timeToFirstTokenMs',
] as const

export type SumName = (typeof sumNames)[number]

/** Maximum value of a measurement: a billion tokens, or eleven days. Higher values are ignored. */
const maxMeasurement = 1_000_000_000

/** Maximum length of the key of a metric of judges, in characters. */
const maxMetricKeyLength = 256

/** The properties of a custom event that are read. */
interface TrackedMeasurement {
  readonly key: string
  readonly at: number
  readonly value: number | undefined
  readonly data: unknown
}

/** The sum to which the value of an event is added, and the sum that counts such events, by the key of the event. */
const measuredSums: ReadonlyMap<string, readonly [SumName, SumName?]> = new Map([
  ['$ld:ai:tokens:input', ['inputTokens']],
  ['$ld:ai:tokens:output', ['outputTokens']],
  ['$ld:ai:tokens:total', ['totalTokens']],
  ['$ld:ai:duration:total', ['durationMs', 'durations']],
  ['$ld:ai:tokens:ttf', ['timeToFirstTokenMs', 'firstTokens']],
])

/** The sum that counts an event, by the key of the event. */
const countedSums: ReadonlyMap<string, SumName> = new Map([
  ['$ld:ai:generation:success', 'successes'],
  ['$ld:ai:generation:error', 'errors'],
  ['$ld:ai:feedback:user:positive', 'thumbsUp'],
  ['$ld:ai:feedback:user:negative', 'thumbsDown'],
])

const internalPrefix = '$ld:ai:'
const judgePrefix = '$ld:ai:judge:'

/**
 * Returns the measurement of an event of the tracker for AI configs (`@launchdarkly/server-sdk-ai`). The data of such
 * an event name the config, the variation and its version. When its key is not one of the tracker's own keys, the event
 * is the score of a judge, and its key is the key of a metric.
 *
 * @returns undefined for other events and for values that are not possible, such as negative ones.
 */
export function aiMetricEvent({ key, at, value, data }: TrackedMeasurement): AIMetricEvent | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { configKey, variationKey, version } = data as Readonly<Record<string, unknown>>
  if (typeof configKey !== 'string' || typeof variationKey !== 'string') return undefined
  const measurement = measurementOf(key, value)
  const variationVersion = Number.isSafeInteger(version) ? (version as number) : 0
  return measurement && { configKey, variationKey, variationVersion, at, measurement }
}

function measurementOf(key: string, value: number | undefined): Measurement | undefined {
  const counted = countedSums.get(key)
  if (counted) return { kind: 'sum', name: counted, value: 1 }
  if (value === undefined || value < 0) return undefined
  const measured = measuredSums.get(key)
  if (measured) {
    const [name, count] = measured
    return value <= maxMeasurement ? { kind: 'sum', name, value, ...(count && { counted: count }) } : undefined
  }
  if (key.startsWith(internalPrefix) && !key.startsWith(judgePrefix)) return undefined
  if (value > 1 || key.length > maxMetricKeyLength) return undefined
  return { kind: 'score', metricKey: key, score: value }
}
