import { canonicalJson } from '../canonical-json.ts'
import { attributesOf, type EvaluationContext, kindsOf, subjectOf } from '../evaluation/subject.ts'
import { validateJson } from '../json-guard.ts'

/** A context of one kind, with its attributes. */
export interface SingleContext {
  readonly kind: string
  readonly key: string
  readonly [attribute: string]: unknown
}

/** A context that an SDK reported or a program sent, without its anonymous parts. */
export interface Sighting {
  /** Time at which the context was used: integer ms, UTC. */
  readonly at: number
  /** The contexts of each kind; at least one. */
  readonly contexts: readonly SingleContext[]
  /** Kinds whose contexts are anonymous, and are left out. */
  readonly anonymousKinds: readonly string[]
}

/**
 * Maximum size of a context whose attributes are stored, in UTF-16 units of its JSON. Of a larger context, only kinds,
 * keys and names are stored.
 */
export const maxStoredContext = 8_192

/** Maximum length of a key of a context, in UTF-16 units; contexts with a longer one are not stored. */
export const maxContextKey = 256

/** Control characters. They occur in no key, and some databases cannot store them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them
const unstorable = /[\u0000-\u001f]|\p{Cs}/u

/**
 * Converts a context to the form in which it is stored: a legacy user becomes a context of kind `user`, and anonymous
 * parts are omitted. The result shares no object with the context.
 *
 * @param at integer ms, UTC.
 * @returns undefined for a context that is not valid, that is anonymous as a whole, or that cannot be stored.
 */
export function sightingOf(context: EvaluationContext, at: number): Sighting | undefined {
  const subject = subjectOf(context)
  if (typeof subject === 'string') return undefined
  const contexts: SingleContext[] = []
  const anonymousKinds: string[] = []
  for (const kind of [...kindsOf(subject)].sort()) {
    const attributes = attributesOf(subject, kind)
    if (!attributes) continue
    if (attributes.anonymous === true) anonymousKinds.push(kind)
    else contexts.push({ ...attributes, kind, key: attributes.key })
  }
  if (contexts.length === 0 || !contexts.every(isStorable)) return undefined
  return { at, contexts: copyOf(contexts) ?? contexts.map(withoutAttributes), anonymousKinds }
}

/**
 * Returns the text that identifies contexts by their kinds and keys alone, in whatever order their kinds are listed.
 */
export function contextName(contexts: readonly Pick<SingleContext, 'kind' | 'key'>[]): string {
  return canonicalJson(contexts.map(({ kind, key }) => [kind, key]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))
}

/** Returns the context as SDKs send it: of one kind, or `multi`. */
export function contextOf(contexts: readonly SingleContext[]): EvaluationContext {
  const [only] = contexts
  if (only && contexts.length === 1) return only
  return { kind: 'multi', ...Object.fromEntries(contexts.map(({ kind, ...attributes }) => [kind, attributes])) }
}

function isStorable({ kind, key }: SingleContext): boolean {
  return key !== '' && key.length <= maxContextKey && kind.length <= maxContextKey && !unstorable.test(kind + key)
}

/** Returns undefined when the contexts are too large, or contain text that cannot be stored in a document. */
function copyOf(contexts: readonly SingleContext[]): SingleContext[] | undefined {
  // This check comes before the serialization, because the serialization of a context with very many levels would
  // throw.
  if (validateJson(contexts, { nodes: maxStoredContext }).length > 0) return undefined
  try {
    const text = JSON.stringify(contexts)
    return text.length > maxStoredContext ? undefined : JSON.parse(text)
  } catch {
    // A caller in this process can report attributes that are not JSON, such as a `bigint`.
    return undefined
  }
}

function withoutAttributes({ kind, key, name }: SingleContext): SingleContext {
  return typeof name === 'string' && name.length <= maxContextKey && !unstorable.test(name)
    ? { kind, key, name }
    : { kind, key }
}
