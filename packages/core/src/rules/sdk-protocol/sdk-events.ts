import { attributesOf, type EvaluationContext, kindsOf, subjectOf } from '../evaluation/subject.ts'

/** The keys of a context by kind, e.g. `{ user: 'ann' }`. Empty when the event has no valid context. */
export type ContextKeys = Readonly<Record<string, string>>

/** Number of evaluations of a flag with one variation, as an SDK reports it. */
export interface SummarizedEvaluation {
  readonly flagKey: string
  /** Index of the variation; null if the caller's default was used. */
  readonly variation: number | null
  /** 0 if the event only reports that the flag was evaluated. */
  readonly count: number
  /** Time of the last of these evaluations: integer ms, UTC, not later than now. */
  readonly at: number
  /** Kinds of the contexts for which the flag was evaluated. Absent when the SDK does not report them. */
  readonly contextKinds?: readonly string[]
}

/** The counts of all evaluations since the last report. */
export interface SummaryEvent {
  readonly kind: 'summary'
  readonly evaluations: readonly SummarizedEvaluation[]
}

/** One evaluation of a flag that the SDK knew. The summaries of the SDK count this evaluation too. */
export interface FeatureEvent {
  /** SDKs send `debug` events for a flag that is observed for a limited time. */
  readonly kind: 'feature' | 'debug'
  /** Integer ms, UTC, not later than now. */
  readonly at: number
  readonly flagKey: string
  /** Version of the flag. */
  readonly version: number
  /** Index of the variation; null if the caller's default was used. */
  readonly variation: number | null
  readonly value: unknown
  readonly contextKeys: ContextKeys
  /** The context, when the SDK sends more than its keys. */
  readonly context?: EvaluationContext
  /**
   * Id of the rule that made the evaluation a part of an experiment, or `fallthrough`. Undefined for evaluations
   * outside of experiments.
   */
  readonly experimentPlace?: string
  /** True for an evaluation of this process. It reports an exposure only, and does not count as an evaluation. */
  readonly uncounted?: true
}

/** An event that the program tracks, or a click or page view that a metric measures. */
export interface CustomEvent {
  readonly kind: 'custom'
  /** Integer ms, UTC, not later than now. */
  readonly at: number
  readonly key: string
  /** Value for numeric metrics, at most `maxEventValue` from 0. */
  readonly value: number | undefined
  readonly data: unknown
  readonly contextKeys: ContextKeys
}

/** A context that the SDK used for the first time, or that the program identified. */
export interface ContextEvent {
  readonly kind: 'index' | 'identify'
  /** Integer ms, UTC, not later than now. */
  readonly at: number
  readonly contextKeys: ContextKeys
  readonly context: EvaluationContext
}

/** An event of an SDK. */
export type SdkEvent = SummaryEvent | FeatureEvent | CustomEvent | ContextEvent

/** Maximum length of the key of a custom event in characters. */
export const maxEventKeyLength = 1000

/** Maximum distance of a value from 0. The sum of the squares of any number of such values is finite. */
const maxEventValue = 1e100

/** Maximum difference between the clock of an SDK and ours, in ms; a larger one counts as wrong. */
const maxClockSkewMs = 24 * 60 * 60 * 1000

/** Maximum number of evaluations in one counter; no SDK counts more between two reports. */
const maxCount = 1_000_000_000

/** Maximum number of variations of a flag. */
const maxVariations = 200

/**
 * Parses a report of an SDK. Never throws. Other kinds of events (operations of migrations) and invalid events are
 * ignored: SDKs do not send a report again, so its valid parts count.
 *
 * @param body a list of events, or one event.
 * @param now integer ms, UTC; it replaces times of an SDK that are later, or more than a day earlier.
 */
export function parseSdkEvents(body: unknown, now: number): SdkEvent[] {
  return (Array.isArray(body) ? body : [body]).flatMap((event): SdkEvent | [] => {
    if (!isObject(event)) return []
    switch (event.kind) {
      case 'summary':
        return summaryEvent(event, now) ?? []
      case 'feature':
      case 'debug':
        return featureEvent(event, event.kind, now) ?? []
      // A click or page view has the key of the metric that measures it.
      case 'click':
      case 'pageview':
      case 'custom':
        return parsedCustomEvent(event, now) ?? []
      case 'index':
      case 'identify':
        return contextEvent(event, event.kind, now) ?? []
      default:
        return []
    }
  })
}

function summaryEvent({ features, endDate }: Properties, now: number): SummaryEvent | undefined {
  if (!isObject(features)) return undefined
  const at = timeOf(endDate, now)
  const evaluations = Object.entries(features).flatMap(([flagKey, feature]) => {
    if (!isObject(feature) || !Array.isArray(feature.counters)) return []
    const kinds = contextKindsIn(feature.contextKinds)
    return feature.counters.flatMap((counter: unknown): SummarizedEvaluation[] => {
      if (!isObject(counter) || counter.unknown === true || !isCount(counter.count)) return []
      return [{ flagKey, variation: variationOf(counter.variation), count: counter.count, at, ...kinds }]
    })
  })
  return { kind: 'summary', evaluations }
}

/** Maximum number of kinds of contexts of one flag in a report. */
const maxContextKinds = 100

/** Returns the valid kinds of a list, for an evaluation; nothing when there are none. */
export function contextKindsIn(kinds: unknown): Pick<SummarizedEvaluation, 'contextKinds'> {
  if (!Array.isArray(kinds)) return {}
  const contextKinds = kinds.filter((kind) => typeof kind === 'string' && /^[\w.-]{1,64}$/.test(kind))
  return contextKinds.length > 0 ? { contextKinds: contextKinds.slice(0, maxContextKinds) } : {}
}

function featureEvent(event: Properties, kind: FeatureEvent['kind'], now: number): FeatureEvent | undefined {
  const { key, creationDate, version, variation, value } = event
  // Without a version, the SDK did not know the flag.
  if (typeof key !== 'string' || typeof version !== 'number') return undefined
  const at = timeOf(creationDate, now)
  return {
    kind,
    at,
    flagKey: key,
    version,
    variation: variationOf(variation),
    value,
    contextKeys: contextKeysOf(event),
    ...(isObject(event.context) ? { context: event.context } : {}),
    ...experimentPlaceOf(event.reason),
  }
}

/** Returns the rule that made an evaluation a part of an experiment, by the reason of the evaluation. */
export function experimentPlaceOf(reason: unknown): Pick<FeatureEvent, 'experimentPlace'> {
  if (!isObject(reason) || reason.inExperiment !== true) return {}
  if (reason.kind === 'FALLTHROUGH') return { experimentPlace: 'fallthrough' }
  return typeof reason.ruleId === 'string' ? { experimentPlace: reason.ruleId } : {}
}

function parsedCustomEvent(event: Properties, now: number): CustomEvent | undefined {
  const { key, creationDate, metricValue, data } = event
  if (!isEventKey(key)) return undefined
  const value = isEventValue(metricValue) ? metricValue : undefined
  return { kind: 'custom', at: timeOf(creationDate, now), key, value, data, contextKeys: contextKeysOf(event) }
}

function contextEvent(event: Properties, kind: ContextEvent['kind'], now: number): ContextEvent | undefined {
  const context = (event.context ?? event.user) as EvaluationContext
  const contextKeys = keysOfContext(context)
  return contextKeys && { kind, at: timeOf(event.creationDate, now), contextKeys, context }
}

/** Returns true for a text that can be the key of a custom event. */
export function isEventKey(key: unknown): key is string {
  return typeof key === 'string' && key.length > 0 && key.length <= maxEventKeyLength
}

/** Returns true for a number that can be the value of a custom event: its square can be added up. */
export function isEventValue(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= maxEventValue
}

/** Returns the keys of a context by kind; undefined when the context is not valid. */
export function keysOfContext(context: unknown): ContextKeys | undefined {
  const subject = subjectOf(context as EvaluationContext)
  if (typeof subject === 'string') return undefined
  return Object.fromEntries(kindsOf(subject).map((kind) => [kind, attributesOf(subject, kind)?.key as string]))
}

/**
 * SDKs send the context with the event, or only its keys. SDKs of earlier versions, in which contexts had no kinds,
 * send the key of a user.
 */
function contextKeysOf({ context, contextKeys, user, userKey }: Properties): ContextKeys {
  if (isObject(contextKeys)) {
    return Object.fromEntries(
      Object.entries(contextKeys).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  }
  if (typeof userKey === 'string') return { user: userKey }
  return keysOfContext(context ?? user) ?? {}
}

type Properties = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= maxCount
}

function variationOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < maxVariations
    ? (value as number)
    : null
}

function timeOf(value: unknown, now: number): number {
  return Number.isSafeInteger(value) && (value as number) <= now && (value as number) > now - maxClockSkewMs
    ? (value as number)
    : now
}
