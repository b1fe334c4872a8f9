import { jsonEqual } from '../json-equal.ts'
import { formatPointer } from '../json-patch/index.ts'
import { type ElementsByIdentity, elementsOf, isObject, type JsonObject } from './list-elements.ts'

/**
 * The versions of one part of a document before, between and after two changes. A property is missing in a version in
 * which the part does not exist.
 */
export interface Overlap {
  /** JSON Pointer of the part. */
  readonly path: string
  /** The part before both changes. */
  readonly base?: unknown
  /** The part after the second change. */
  readonly yours?: unknown
  /** The part after the first change. */
  readonly theirs?: unknown
}

/** A document or a part of it; undefined where it does not exist. */
export interface Versions {
  readonly base: unknown
  readonly yours: unknown
  readonly theirs: unknown
}

export interface OverlapOptions {
  /**
   * Returns true when the second change adds and removes single elements of the list at this JSON Pointer, and does not
   * replace the list. Then it may add again a scalar that the first change removed, and remove a scalar that the first
   * change added.
   */
  changesElements(list: string): boolean
}

/**
 * Returns the parts of a document that two successive changes both changed, so that the second one overwrote what the
 * first one had written (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
 *
 * Objects are compared by property. Lists are compared by element (see `elementsOf`): elements that both changes add or
 * remove do not overlap. Removing an element does not overwrite a change of it. The order of a list overlaps when both
 * changes changed the order. Everything else is compared by value.
 *
 * @param versions the document before, between (`theirs`) and after (`yours`) the two changes.
 */
export function overlaps(versions: Versions, options: OverlapOptions, path = ''): Overlap[] {
  const { base, yours, theirs } = versions
  if (jsonEqual(base, theirs) || jsonEqual(theirs, yours)) return []
  // The second change may extend a list or an object that the first one has added.
  if (isObject(theirs) && isObject(yours) && (isObject(base) || base === undefined)) {
    return overlapsOfObjects({ base: base ?? {}, theirs, yours }, options, path)
  }
  if (Array.isArray(theirs) && Array.isArray(yours) && (Array.isArray(base) || base === undefined)) {
    return overlapsOfLists({ base: base ?? [], theirs, yours }, options, path)
  }
  return [overlapAt(path, versions)]
}

interface ObjectVersions extends Versions {
  readonly base: JsonObject
  readonly yours: JsonObject
  readonly theirs: JsonObject
}

function overlapsOfObjects({ base, theirs, yours }: ObjectVersions, options: OverlapOptions, path: string): Overlap[] {
  const names = new Set([...Object.keys(base), ...Object.keys(theirs), ...Object.keys(yours)])
  return [...names].flatMap((name) => {
    const parts = { base: own(base, name), theirs: own(theirs, name), yours: own(yours, name) }
    return overlaps(parts, options, path + formatPointer([name]))
  })
}

interface ListVersions extends Versions {
  readonly base: readonly unknown[]
  readonly yours: readonly unknown[]
  readonly theirs: readonly unknown[]
}

function overlapsOfLists(lists: ListVersions, options: OverlapOptions, path: string): Overlap[] {
  const { versions, absent } = elementsOf([lists.base, lists.theirs, lists.yours])
  const parts: Overlap[] = []
  for (const identity of new Set(versions.flatMap((elements) => [...elements.keys()]))) {
    const groups = versions.map((elements) => elements.get(identity) ?? []) as [Group, Group, Group]
    const any = groups.find(({ length }) => length > 0)?.[0]
    const [base, theirs, yours] = groups.map((group) => group[0] ?? absent(any))
    if (groups.every(({ length }) => length < 2) && theirs !== undefined && yours !== undefined) {
      const index = lists.theirs.indexOf(theirs)
      parts.push(...overlaps({ base, theirs, yours }, options, index === -1 ? path : `${path}/${index}`))
    } else if (isReverted(groups)) {
      if (isContainer(any) || !options.changesElements(path)) return [overlapAt(path, lists)]
    }
  }
  return bothReorder(versions) ? [overlapAt(path, lists)] : parts
}

type Group = readonly unknown[]

/** Returns true when the second change removes an element that the first change added, or adds one that it removed. */
function isReverted([base, theirs, yours]: readonly [Group, Group, Group]): boolean {
  return (theirs.length - base.length) * (yours.length - theirs.length) < 0
}

/** Returns true when each of the two changes reorders the elements that all versions have. */
function bothReorder(versions: readonly ElementsByIdentity[]): boolean {
  const [base, theirs, yours] = versions.map((elements) =>
    JSON.stringify([...elements.keys()].filter((identity) => versions.every((other) => other.has(identity)))),
  )
  return base !== theirs && theirs !== yours
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/**
 * Returns an own property of an object. Inherited properties are ignored, because a caller can use names such as
 * `constructor` as keys.
 */
function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function overlapAt(path: string, { base, yours, theirs }: Versions): Overlap {
  return {
    path,
    ...(base === undefined ? {} : { base }),
    ...(yours === undefined ? {} : { yours }),
    ...(theirs === undefined ? {} : { theirs }),
  }
}
