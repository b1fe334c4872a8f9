import type { EvaluationContext as HalyardContext } from '@halyard/core/evaluation'
import { ErrorCode, type EvaluationContext, type EvaluationContextValue } from '@openfeature/core'

/** What Halyard is asked for. */
export interface AskedContext {
  readonly context: HalyardContext
  /** False for a user of whom no key is known: rollouts cannot place one. */
  readonly keyed: boolean
}

/** What Halyard is asked for, or why it cannot be. */
export type MappedContext = AskedContext | { readonly errorCode: ErrorCode; readonly errorMessage: string }

type Attributes = Readonly<Record<string, EvaluationContextValue | undefined>>

/**
 * An evaluation context of OpenFeature as Halyard takes it. `targetingKey` is the key, before a member `key`; `kind` is the
 * kind, `user` where left out. With `kind: 'multi'` each other member is the context of that kind, and the targeting key is
 * that of the user among them where it has none of its own. Dates become texts (ISO 8601); the rest are attributes.
 *
 * A user may be without a key: flags that need none can be evaluated all the same.
 *
 * @returns an error for what is no context: `TARGETING_KEY_MISSING` where a key is needed, else `INVALID_CONTEXT`.
 */
export function mappedContext(given: EvaluationContext): MappedContext {
  const { kind = 'user', ...rest } = given as Attributes
  if (typeof kind !== 'string') return invalid('the kind of the context must be text')
  if (kind === 'multi') return ofSeveralKinds(rest)
  const { key, attributes } = parted(rest)
  if (key !== undefined && typeof key !== 'string') return invalid('the targeting key must be text')
  if (key) return { context: { ...attributes, kind, key }, keyed: true }
  if (kind !== 'user') return keyMissing(kind)
  // Only users of old may have no key to speak of, and theirs are the attributes under `custom`.
  return { context: { key: '', custom: attributes }, keyed: false }
}

function ofSeveralKinds({ targetingKey, ...parts }: Attributes): MappedContext {
  const contexts: Record<string, object> = {}
  for (const [kind, part] of Object.entries(parts)) {
    if (part === undefined) continue
    if (!isRecord(part)) return invalid(`the context of kind ${kind} must be an object`)
    const { key = kind === 'user' ? targetingKey : undefined, attributes } = parted(part)
    if (key === undefined || key === '') return keyMissing(kind)
    if (typeof key !== 'string') return invalid(`the targeting key of kind ${kind} must be text`)
    contexts[kind] = { ...attributes, key }
  }
  if (Object.keys(contexts).length === 0) return invalid('a context of several kinds must have one at least')
  return { context: { ...contexts, kind: 'multi' }, keyed: true }
}

/** Null is as good as nothing in both places where a key can stand. */
function parted({ targetingKey, key, ...rest }: Attributes) {
  const attributes = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, plain(value)]))
  return { key: targetingKey ?? key ?? undefined, attributes }
}

function plain(value: EvaluationContextValue | undefined): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
}

function isRecord(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function invalid(errorMessage: string): MappedContext {
  return { errorCode: ErrorCode.INVALID_CONTEXT, errorMessage }
}

function keyMissing(kind: string): MappedContext {
  return {
    errorCode: ErrorCode.TARGETING_KEY_MISSING,
    errorMessage: `the context of kind ${kind} must have a targeting key`,
  }
}
