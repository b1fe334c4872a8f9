import type { Attributes, Subject } from './subject.ts'
import { attributesOf, kindsOf } from './subject.ts'

/** Reads one attribute of a context; undefined if the context does not have it. */
export type ReadAttribute = (subject: Subject) => unknown

/**
 * Creates a function that reads one attribute from contexts of one kind.
 *
 * A text that begins with `/` is a reference: names of nested attributes separated by slashes, e.g. `/address/city`. In
 * a name, `~1` is a slash and `~0` is a tilde. Any other text is the plain name of an attribute. `kind` is read as the
 * list of all kinds of the context, and `anonymous` is false if it is not set.
 *
 * @param contextKind kind of the contexts that have the attribute. If omitted, `text` is always a plain name, as it was
 *   before contexts had kinds.
 * @returns undefined if `text` is not a valid reference, such as `/a//b`, or refers to `_meta`.
 */
export function attributeReader(
  text: string | null | undefined,
  contextKind: string | undefined,
): ReadAttribute | undefined {
  const path = text ? parseReference(text, contextKind) : undefined
  if (!path) return undefined
  const kind = contextKind || 'user'
  const [name, ...inner] = path as [string, ...string[]]
  if (inner.length > 0) return (subject) => valueAt(attributesOf(subject, kind), path)
  if (name === 'kind') return kindsOf
  if (name === 'key') return (subject) => attributesOf(subject, kind)?.key
  if (name === 'anonymous') {
    return (subject) => {
      const attributes = attributesOf(subject, kind)
      return attributes && Boolean(attributes.anonymous)
    }
  }
  return (subject) => ownValue(attributesOf(subject, kind), name)
}

function parseReference(text: string, contextKind: string | undefined): readonly string[] | undefined {
  if (!contextKind) return [text]
  if (!text.startsWith('/')) return text === '_meta' ? undefined : [text]
  const parts = text.slice(1).split('/')
  if (parts[0] === '_meta' || parts.some((part) => part === '' || /~(?![01])/.test(part))) return undefined
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function ownValue(attributes: Attributes | undefined, name: string): unknown {
  // The value is read before `hasOwn` is called: most attributes that rules refer to are absent, and for an absent
  // attribute `hasOwn` need not be called.
  const value = attributes?.[name]
  return value !== undefined && Object.hasOwn(attributes as Attributes, name) ? value : undefined
}

function valueAt(attributes: Attributes | undefined, path: readonly string[]): unknown {
  let value: unknown = attributes
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = ownValue(value as Attributes, name)
  }
  return value
}
