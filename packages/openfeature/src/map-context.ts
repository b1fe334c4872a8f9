import type { EvaluationContext as HalyardContext } from '@halyard/core/evaluation'
import { ErrorCode, type EvaluationContext, type EvaluationContextValue } from '@openfeature/core'

/** A context that the engine can evaluate. */
export interface MappedContext {
  readonly context: HalyardContext
  /** False for a user without a key. Rollouts by key cannot select a variation for such a context. */
  readonly hasKey: boolean
}

/** The reason why a context cannot be evaluated. */
export interface ContextError {
  readonly errorCode: ErrorCode.TARGETING_KEY_MISSING | ErrorCode.INVALID_CONTEXT
  readonly errorMessage: string
}

type Attributes = Readonly<Record<string, EvaluationContextValue | undefined>>

/**
 * Maps an evaluation context of OpenFeature to a context of the engine. Its key is `targetingKey`, or else `key`. Its
 * kind is `kind`, by default `user`. With the kind `multi`, each other property is the context of that kind, and
 * `targetingKey` is the key of the user context when that context has no key. Dates become strings (ISO 8601). All
 * other properties are attributes.
 *
 * A user context may have no key, as flags without rollouts can be evaluated for it.
 *
 * @returns a `ContextError` with `TARGETING_KEY_MISSING` when a key is required, or else with `INVALID_CONTEXT`.
 */
export function mapContext(context: EvaluationContext): MappedContext | ContextError {
  const { kind = 'user', ...rest } = context as Attributes
  if (typeof kind !== 'string') return invalidContext('`kind` must be a string')
  if (kind === 'multi') return mapMultiContext(rest)
  const { key, attributes } = splitKey(rest)
  if (key !== undefined && typeof key !== 'string') return invalidContext('`targetingKey` must be a string')
  if (key) return { context: { ...attributes, kind, key }, hasKey: true }
  if (kind !== 'user') return missingKey(kind)
  // Only the legacy user format allows an empty key. Its attributes are in `custom`.
  return { context: { key: '', custom: attributes }, hasKey: false }
}

function mapMultiContext({ targetingKey, ...kinds }: Attributes): MappedContext | ContextError {
  const contexts: Record<string, object> = {}
  for (const [kind, context] of Object.entries(kinds)) {
    if (context === undefined) continue
    if (!isRecord(context)) return invalidContext(`\`${kind}\` must be an object`)
    const { key = kind === 'user' ? targetingKey : undefined, attributes } = splitKey(context)
    if (key === undefined || key === '') return missingKey(kind)
    if (typeof key !== 'string') return invalidContext(`\`targetingKey\` of \`${kind}\` must be a string`)
    contexts[kind] = { ...attributes, key }
  }
  if (Object.keys(contexts).length === 0) return invalidContext('a multi-context must contain at least 1 context')
  return { context: { ...contexts, kind: 'multi' }, hasKey: true }
}

/** Separates the key from the other attributes. A key that is null counts as missing. */
function splitKey({ targetingKey, key, ...rest }: Attributes) {
  const attributes = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, toJson(value)]))
  return { key: targetingKey ?? key ?? undefined, attributes }
}

function toJson(value: EvaluationContextValue | undefined): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map(toJson)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toJson(inner)]))
}

function isRecord(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function invalidContext(errorMessage: string): ContextError {
  return { errorCode: ErrorCode.INVALID_CONTEXT, errorMessage }
}

function missingKey(kind: string): ContextError {
  return {
    errorCode: ErrorCode.TARGETING_KEY_MISSING,
    errorMessage: `the ${kind} context must have a \`targetingKey\``,
  }
}
