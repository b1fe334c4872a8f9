import { canonicalJson } from '../canonical-json.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** The elements of a list by identity; equal elements have the same identity. */
export type ElementsByIdentity = ReadonlyMap<string, readonly unknown[]>

/** Properties that identify an object in a list, in order of preference. */
const identifiers = ['_id', 'id', 'key'] as const

/**
 * Name of the property that contains the set, in a list whose objects each describe one set. The other properties of
 * such an object identify the set.
 */
const setProperty = 'values'

export interface ListElements {
  /** The elements of each version of the list. */
  readonly versions: readonly ElementsByIdentity[]
  /**
   * Returns the value that an element has when the list does not contain it, such as a set without values; undefined
   * when an absent element has no value.
   */
  absent(element: unknown): unknown
}

/**
 * Returns the elements of several versions of one list by identity. Objects are identified by `_id`, `id` or `key`, or,
 * when they name a set of `values`, by their other properties; such a set is empty where it is absent. These identities
 * are used only when every object of every version has one, and no version contains an identity twice. All other
 * elements are identified by their value.
 */
export function elementsOf(lists: readonly (readonly unknown[])[]): ListElements {
  for (const identify of [...identifiers.map(identifiedBy), identifySet]) {
    const versions = lists.map((list) => groupBy(list, identify))
    if (versions.every((groups) => groups && [...groups.values()].every(({ length }) => length === 1))) {
      const absent = (element: unknown) =>
        identify === identifySet && isObject(element) ? { ...element, [setProperty]: [] } : undefined
      return { versions: versions as ElementsByIdentity[], absent }
    }
  }
  return { versions: lists.map((list) => groupBy(list, canonicalJson) as ElementsByIdentity), absent: () => undefined }
}

/** Returns the elements by identity; undefined when an element has no identity. */
function groupBy(
  list: readonly unknown[],
  identify: (element: unknown) => string | undefined,
): ElementsByIdentity | undefined {
  const groups = new Map<string, unknown[]>()
  for (const element of list) {
    const identity = identify(element)
    if (identity === undefined) return undefined
    const group = groups.get(identity)
    if (group) group.push(element)
    else groups.set(identity, [element])
  }
  return groups
}

function identifiedBy(property: string): (element: unknown) => string | undefined {
  return (element) => {
    if (!isObject(element)) return undefined
    const identity = element[property]
    return typeof identity === 'string' || typeof identity === 'number' ? String(identity) : undefined
  }
}

function identifySet(element: unknown): string | undefined {
  if (!isObject(element) || !Array.isArray(element[setProperty])) return undefined
  const { [setProperty]: _, ...others } = element
  return canonicalJson(others)
}

/** Returns true for a JSON object that is not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
