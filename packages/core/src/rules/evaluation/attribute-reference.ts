import type { Attributes, Subject } from './subject.ts'
import { attributesOf, kindsOf } from './subject.ts'

/** Finds the value of an attribute; undefined where the context has none. */
export type ReadAttribute = (subject: Subject) => unknown

/**
 * Makes what finds an attribute of contexts of one kind.
 *
 * A text that begins with `/` is a reference: names of nested attributes after slashes, in which `~1` stands for a slash
 * and `~0` for a tilde, e.g. `/address/city`. Any other text is a name as it is. `kind` is the list of all kinds that a
 * context has, and `anonymous` is false where it is not set.
 *
 * @param contextKind where it is left out `text` is a name whatever it begins with: so it was before there were kinds.
 * @returns undefined for what is no reference, such as `/a//b`, and for what belongs to `_meta`.
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
  // Looked at first: most attributes that rules ask for are not there, and then nothing has to be asked of the object.
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
