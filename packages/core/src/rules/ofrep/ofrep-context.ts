import type { EvaluationContext } from '../evaluation/index.ts'
import { subjectOf } from '../evaluation/subject.ts'

/** The reason why a request has no context that can be evaluated, as OFREP names it. */
export interface OfrepContextError {
  readonly errorCode: 'PARSE_ERROR' | 'INVALID_CONTEXT' | 'TARGETING_KEY_MISSING'
  readonly errorDetails: string
}

/** A context, or the reason why there is none. */
export type ParsedOfrepContext = OfrepParseResult<EvaluationContext>

type OfrepParseResult<Context> =
  | { readonly context: Context; readonly error?: undefined }
  | { readonly context?: undefined; readonly error: OfrepContextError }

type Attributes = Readonly<Record<string, unknown>>

/**
 * Returns the context of the body of an OFREP request (OpenFeature Remote Evaluation Protocol 0.2). The key of the
 * context is `targetingKey`; without it, `key`. The kind of the context is `kind`, by default `user`. With the kind
 * `multi`, each other property is the context of that kind, and `targetingKey` is the key of the user context when that
 * has none. All other properties are attributes.
 *
 * @param body the parsed JSON; undefined when the request has no body.
 */
export function ofrepContext(body: unknown): ParsedOfrepContext {
  if (!isObject(body)) return failed('PARSE_ERROR', 'The body must be a JSON object of at most 64 KiB')
  const { context: sent = {} } = body
  if (!isObject(sent)) return failed('INVALID_CONTEXT', '`context` must be an object')
  const { context, error } = sent.kind === 'multi' ? multiContext(sent) : singleContext(sent, 'user')
  if (error) return { error }
  // Cast: `subjectOf` checks at run time whether the engine accepts the context.
  if (typeof subjectOf(context as EvaluationContext) !== 'string') return { context: context as EvaluationContext }
  return failed('INVALID_CONTEXT', '`context` must have valid kinds, and keys that are strings')
}

function singleContext({ targetingKey, key, ...attributes }: Attributes, kind: string): OfrepParseResult<Attributes> {
  const contextKey = targetingKey ?? key
  if (contextKey === undefined || contextKey === null || contextKey === '') {
    return failed('TARGETING_KEY_MISSING', `The ${kind} context must have a \`targetingKey\``)
  }
  return { context: { kind, ...attributes, key: contextKey } }
}

function multiContext({ targetingKey, kind: _, ...kinds }: Attributes): OfrepParseResult<Attributes> {
  const contexts: Record<string, unknown> = { kind: 'multi' }
  for (const [kind, sent] of Object.entries(kinds)) {
    if (!isObject(sent)) return failed('INVALID_CONTEXT', `\`${kind}\` must be an object`)
    const { context, error } = singleContext(kind === 'user' ? { targetingKey, ...sent } : sent, kind)
    if (error) return { error }
    const { kind: __, ...attributes } = context
    contexts[kind] = attributes
  }
  return { context: contexts }
}

function failed(errorCode: OfrepContextError['errorCode'], errorDetails: string) {
  return { error: { errorCode, errorDetails } }
}

function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
