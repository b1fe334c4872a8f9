import type { Segment } from '../../models/segments/segment.ts'
import { type ContextTargets, userKind } from '../../rules/targeting/clause.ts'

/** The four lists of keys of a standard segment. */
export type TargetLists = Pick<Segment, 'included' | 'excluded' | 'includedContexts' | 'excludedContexts'>

export type Side = 'included' | 'excluded'

/** Keys to be added to or removed from one side of a segment: its included or its excluded keys. */
export interface SideEdit {
  readonly side: Side
  readonly adds: boolean
  readonly keys: readonly string[]
}

export interface TargetEdit extends SideEdit {
  readonly contextKind: string
}

export const emptyTargetLists: TargetLists = { included: [], excluded: [], includedContexts: [], excludedContexts: [] }

const contextLists = { included: 'includedContexts', excluded: 'excludedContexts' } as const

/** Returns all lists of a side, included or excluded, with the list of users first. */
export function targetsOn(lists: TargetLists, side: Side): ContextTargets[] {
  return [{ contextKind: userKind, values: lists[side] }, ...lists[contextLists[side]]]
}

/** Returns the number of entries of all four lists, which determines whether the segment is a big one. */
export function countEntries(lists: TargetLists): number {
  const all = [...targetsOn(lists, 'included'), ...targetsOn(lists, 'excluded')]
  return all.reduce((sum, { values }) => sum + values.length, 0)
}

/** Returns the context kinds that have at least one key. */
export function contextKindsOf(lists: TargetLists): string[] {
  const all = [...targetsOn(lists, 'included'), ...targetsOn(lists, 'excluded')]
  return [...new Set(all.filter(({ values }) => values.length > 0).map(({ contextKind }) => contextKind))]
}

/** Maximum number of keys that one request can add and remove (reference API: patchSegment). */
export const maxKeysPerRequest = 1_500

/** Returns the number of keys in edits. Repeated keys are counted each time. */
export function countKeys(edits: readonly SideEdit[]): number {
  return edits.reduce((sum, { keys }) => sum + keys.length, 0)
}

/**
 * Applies edits in order. Edits that change nothing are ignored, and lists that no edit names are returned unchanged.
 */
export function editTargets<T extends TargetLists>(lists: T, edits: readonly TargetEdit[]): T {
  // One set for each list: with arrays, a thousand edits of a long list would scan it a thousand times.
  const editedLists = new Map<
    string,
    { readonly side: Side; readonly contextKind: string; readonly keys: Set<string> }
  >()
  for (const { side, contextKind, adds, keys } of edits) {
    const listKey = `${side} ${contextKind}`
    let list = editedLists.get(listKey)
    if (!list) editedLists.set(listKey, (list = { side, contextKind, keys: new Set(keysOf(lists, side, contextKind)) }))
    for (const key of keys) {
      if (adds) list.keys.add(key)
      else list.keys.delete(key)
    }
  }
  return [...editedLists.values()].reduce((result, list) => withKeys(result, list, [...list.keys]), lists)
}

function keysOf(lists: TargetLists, side: Side, contextKind: string): readonly string[] {
  return targetsOn(lists, side).find((targets) => targets.contextKind === contextKind)?.values ?? []
}

/** A list of a segment: the included or excluded contexts of a kind. */
interface ListPosition {
  readonly side: Side
  readonly contextKind: string
}

function withKeys<T extends TargetLists>(lists: T, { side, contextKind }: ListPosition, values: readonly string[]): T {
  if (contextKind === userKind) return { ...lists, [side]: values }
  const name = contextLists[side]
  const index = lists[name].findIndex((targets) => targets.contextKind === contextKind)
  const edited =
    index < 0 ? [...lists[name], { contextKind, values }] : lists[name].with(index, { contextKind, values })
  const nonEmpty = edited.filter((targets) => targets.values.length > 0 || targets.contextKind !== contextKind)
  return { ...lists, [name]: nonEmpty }
}
