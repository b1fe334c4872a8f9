import { canonicalJson } from '../canonical-json.ts'
import { jsonEqual } from '../json-equal.ts'

/** A part of a document that two changes replaced. */
export interface MergeConflict {
  /** JSON Pointer. */
  readonly path: string
  /** The value that both changes started from. */
  readonly base: unknown
  readonly yours: unknown
  readonly theirs: unknown
}

export interface MergeInput {
  readonly base: unknown
  readonly yours: unknown
  readonly theirs: unknown
}

/** Tests whether a number at a path is a count, which both changes increase or decrease. */
type IsCount = (path: string) => boolean

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Merges two changes of one JSON value. Properties are merged one by one, and elements of lists by identity: an object
 * by its `_id`, `id` or `key`, any other element by its value.
 *
 * @param isCount default: no number is a count.
 * @returns the merged value, and the parts that both changes replaced by different values; they have the value of
 *   `theirs`.
 */
export function mergeThreeWay(
  input: MergeInput,
  isCount: IsCount = () => false,
): { readonly value: unknown; readonly conflicts: readonly MergeConflict[] } {
  const conflicts: MergeConflict[] = []
  const value = merged(input, '')
  return { value, conflicts }

  function merged(input: MergeInput, path: string): unknown {
    const { base, yours, theirs } = input
    if (jsonEqual(yours, theirs) || jsonEqual(base, yours)) return theirs
    if (jsonEqual(base, theirs)) return yours
    if (isObject(base) && isObject(yours) && isObject(theirs)) return mergedObject({ base, yours, theirs }, path)
    if (Array.isArray(base) && Array.isArray(yours) && Array.isArray(theirs)) {
      const list = mergedList({ base, yours, theirs }, path)
      if (list) return list
    }
    if (typeof base === 'number' && typeof yours === 'number' && typeof theirs === 'number' && isCount(path)) {
      return theirs + yours - base
    }
    conflicts.push({ path, base, yours, theirs })
    return theirs
  }

  function mergedObject(input: Record<'base' | 'yours' | 'theirs', JsonObject>, path: string): JsonObject {
    const { base, yours, theirs } = input
    const result: Record<string, unknown> = {}
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(yours)])) {
      const part = { base: own(base, name), yours: own(yours, name), theirs: own(theirs, name) }
      const value = merged(part, `${path}/${escapeToken(name)}`)
      if (value !== undefined) result[name] = value
    }
    return result
  }

  /** Returns undefined when the elements have no identity, or both changes reorder them. */
  function mergedList(
    input: Record<'base' | 'yours' | 'theirs', readonly unknown[]>,
    path: string,
  ): readonly unknown[] | undefined {
    const [base, yours, theirs] = [identified(input.base), identified(input.yours), identified(input.theirs)]
    if (!base || !yours || !theirs) return undefined
    const order = mergedOrder([...base.keys()], [...yours.keys()], [...theirs.keys()])
    return order?.flatMap((identity, index) => {
      const part = { base: base.get(identity), yours: yours.get(identity), theirs: theirs.get(identity) }
      const value = merged(part, `${path}/${index}`)
      return value === undefined ? [] : [value]
    })
  }
}

/**
 * Merges the order of elements: it is the order of `theirs`, without the elements that `yours` removed. Elements that
 * `yours` added come after the same neighbor. Elements that `yours` removed and `theirs` replaced are kept, so that
 * they become conflicts.
 */
function mergedOrder(
  base: readonly string[],
  yours: readonly string[],
  theirs: readonly string[],
): readonly string[] | undefined {
  const commonElements = (list: readonly string[], other: readonly string[]) => {
    const others = new Set(other)
    return list.filter((identity) => others.has(identity))
  }
  const yoursReorders = !jsonEqual(commonElements(base, yours), commonElements(yours, base))
  const theirsReorders = !jsonEqual(commonElements(base, theirs), commonElements(theirs, base))
  if (yoursReorders && theirsReorders) return undefined
  const [first, second] = yoursReorders ? [yours, theirs] : [theirs, yours]
  const result = [...first]
  const known = new Set([...first, ...base])
  let previous: string | undefined
  for (const identity of second) {
    if (!known.has(identity)) result.splice(previous === undefined ? 0 : result.indexOf(previous) + 1, 0, identity)
    if (!known.has(identity) || first.includes(identity)) previous = identity
  }
  // Elements that `first` does not have come last; `merged` decides by their values which of them remain.
  const present = new Set(result)
  return [...result, ...second.filter((identity) => !present.has(identity))]
}

/** Returns the elements by identity; undefined when two elements have the same identity. */
function identified(list: readonly unknown[]): ReadonlyMap<string, unknown> | undefined {
  const elements = new Map(list.map((element) => [identityOf(element), element]))
  return elements.size === list.length ? elements : undefined
}

function identityOf(element: unknown): string {
  if (!isObject(element)) return canonicalJson(element)
  const identity = element._id ?? element.id ?? element.key
  return typeof identity === 'string' ? identity : canonicalJson(element)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
