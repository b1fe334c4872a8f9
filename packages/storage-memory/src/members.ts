import type { LeafKind } from './by-scope.ts'
import { copyKeyOrder, createKeyOrder, firstNotBefore, type KeyOrder, keysInOrder, touchKey } from './key-order.ts'

/** A set of keys that can be read page by page. */
export interface MemberSet {
  readonly members: Set<string>
  readonly order: KeyOrder
}

export const memberSetKind: LeafKind<MemberSet> = {
  create: () => ({ members: new Set(), order: createKeyOrder() }),
  copy: ({ members, order }) => ({ members: new Set(members), order: copyKeyOrder(order) }),
  size: ({ members }) => members.size,
}

/** Adds the keys that the set does not contain and returns their number. */
export function addMembers({ members, order }: MemberSet, added: readonly string[]): number {
  const before = members.size
  for (const member of added) {
    if (members.has(member)) continue
    members.add(member)
    touchKey(order, member)
  }
  return members.size - before
}

/** Removes the keys that the set contains and returns their number. */
export function removeMembers({ members, order }: MemberSet, removed: readonly string[]): number {
  const before = members.size
  for (const member of removed) {
    if (members.delete(member)) touchKey(order, member)
  }
  return before - members.size
}

/** Returns the number of keys that are in the first set and not in the second. */
export function countWithout({ members }: MemberSet, without: MemberSet | undefined): number {
  if (!without) return members.size
  let count = 0
  for (const member of members) if (!without.members.has(member)) count++
  return count
}

/**
 * Moves all keys of a set into another one and returns the number of keys that were new there.
 *
 * @param replace removes the keys of the target that the source does not contain.
 */
export function moveMembers(from: MemberSet, into: MemberSet, replace: boolean): number {
  const moved = [...from.members]
  if (replace)
    removeMembers(
      into,
      [...into.members].filter((member) => !from.members.has(member)),
    )
  removeMembers(from, moved)
  return addMembers(into, moved)
}

/** Returns all keys in code-point order. The array is valid until the set changes. */
export function orderedMembers({ members, order }: MemberSet): readonly string[] {
  return keysInOrder(order, members)
}

/** Returns at most `limit` keys after `after`, in code-point order. */
export function pageKeys({ members, order }: MemberSet, after: string | undefined, limit: number): string[] {
  const sorted = keysInOrder(order, members)
  if (after === undefined) return sorted.slice(0, limit)
  const at = firstNotBefore(sorted, after)
  const start = sorted[at] === after ? at + 1 : at
  return sorted.slice(start, start + limit)
}
