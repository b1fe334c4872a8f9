import type { ContextTargets } from '../../rules/targeting/clause.ts'
import type { Segment } from './segment.ts'

/** The four lists of keys that a standard segment has. */
export type TargetLists = Pick<Segment, 'included' | 'excluded' | 'includedContexts' | 'excludedContexts'>

export type Side = 'included' | 'excluded'

/** Keys that shall be on one side, or no longer. */
export interface TargetEdit {
  readonly side: Side
  readonly adds: boolean
  readonly contextKind: string
  readonly keys: readonly string[]
}

export const noTargets: TargetLists = { included: [], excluded: [], includedContexts: [], excludedContexts: [] }

/** The kind whose keys stand in lists of their own. */
export const userKind = 'user'

const contextLists = { included: 'includedContexts', excluded: 'excludedContexts' } as const

/** All lists of a side, users first. */
export function targetsOn(lists: TargetLists, side: Side): ContextTargets[] {
  return [{ contextKind: userKind, values: lists[side] }, ...lists[contextLists[side]]]
}

/** Entries of all four lists together: what makes a segment a big one. */
export function entriesOf(lists: TargetLists): number {
  const all = [...targetsOn(lists, 'included'), ...targetsOn(lists, 'excluded')]
  return all.reduce((sum, { values }) => sum + values.length, 0)
}

/** Does edits in order; what is already so stays, and a list that is not named is the same one afterwards. */
export function editTargets(lists: TargetLists, edits: readonly TargetEdit[]): TargetLists {
  // One set for each list: with an array, a thousand edits of a long list would read it a thousand times.
  const open = new Map<string, { readonly side: Side; readonly contextKind: string; readonly keys: Set<string> }>()
  for (const { side, contextKind, adds, keys } of edits) {
    const place = `${side} ${contextKind}`
    let list = open.get(place)
    if (!list) open.set(place, (list = { side, contextKind, keys: new Set(keysOf(lists, side, contextKind)) }))
    for (const key of keys) {
      if (adds) list.keys.add(key)
      else list.keys.delete(key)
    }
  }
  return [...open.values()].reduce((sum, list) => withKeys(sum, list.side, list.contextKind, [...list.keys]), lists)
}

function keysOf(lists: TargetLists, side: Side, contextKind: string): readonly string[] {
  return targetsOn(lists, side).find((targets) => targets.contextKind === contextKind)?.values ?? []
}

function withKeys(lists: TargetLists, side: Side, contextKind: string, values: readonly string[]): TargetLists {
  if (contextKind === userKind) return { ...lists, [side]: values }
  const name = contextLists[side]
  const others = lists[name]
  const known = others.some((targets) => targets.contextKind === contextKind)
  const targets = { contextKind, values }
  const changed = known ? others.map((one) => (one.contextKind === contextKind ? targets : one)) : [...others, targets]
  return { ...lists, [name]: changed.filter((one) => one.values.length > 0 || one.contextKind !== contextKind) }
}
