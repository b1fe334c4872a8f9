import { attributesOf, type EvaluationContext, subjectOf } from '../evaluation/subject.ts'
import type { ContextKeys, SdkEvent } from '../sdk-protocol/sdk-events.ts'

/** An evaluation that exposes a context to a variation. */
export interface ReportedExposure {
  readonly kind: 'exposure'
  readonly at: number
  readonly flagKey: string
  /** Index of the served variation. */
  readonly variation: number
  /** Id of the rule, or `fallthrough`. */
  readonly place: string
  readonly contextKeys: ContextKeys
  /** Short values of top-level attributes, by `kind attribute`. */
  readonly attributes: Readonly<Record<string, string>>
}

/** An event that a metric can measure. */
export interface ReportedEvent {
  readonly kind: 'event'
  readonly at: number
  readonly key: string
  readonly value: number | undefined
  readonly contextKeys: ContextKeys
}

/** A part of a report that measurements need. */
export type ReportedItem = ReportedExposure | ReportedEvent

/**
 * Maximum number of attributes of a context by which results can be divided. It is also the maximum number of
 * characters of a value.
 */
const maxAttributes = 40
const maxValueLength = 64

/**
 * Returns the parts of an event that measurements need; undefined when they need nothing.
 *
 * @param isKnownFlag returns true for the key of a flag whose evaluations the sender may report.
 */
export function reportedItem(event: SdkEvent, isKnownFlag: (flagKey: string) => boolean): ReportedItem | undefined {
  if (event.kind === 'custom') {
    const { at, key, value, contextKeys } = event
    return { kind: 'event', at, key, value, contextKeys }
  }
  // An SDK that debugs a flag sends an event of the kind `debug` in addition to `feature`.
  if (event.kind !== 'feature') return undefined
  const { at, flagKey, variation, experimentPlace, contextKeys, context } = event
  if (experimentPlace === undefined || variation === null || !isKnownFlag(flagKey)) return undefined
  return {
    kind: 'exposure',
    at,
    flagKey,
    variation,
    place: experimentPlace,
    contextKeys,
    attributes: context ? shortAttributes(context, Object.keys(contextKeys)) : {},
  }
}

/** Copies attributes, because the caller may change the context. */
function shortAttributes(context: EvaluationContext, kinds: readonly string[]): Readonly<Record<string, string>> {
  const subject = subjectOf(context)
  if (typeof subject === 'string') return {}
  const entries = kinds.flatMap((kind) =>
    Object.entries(attributesOf(subject, kind) ?? {}).flatMap(([name, value]): [string, string][] => {
      if (name === 'key' || name === 'kind' || !isScalar(value)) return []
      return [[`${kind} ${name}`, printable(String(value)).slice(0, maxValueLength)]]
    }),
  )
  return Object.fromEntries(entries.slice(0, maxAttributes))
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Storages cannot store every control character. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?')
}
