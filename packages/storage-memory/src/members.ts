import type { LeafKind } from './by-scope.ts'
import { copyKeyOrder, createKeyOrder, firstNotBefore, type KeyOrder, keysInOrder, touchKey } from './key-order.ts'

/** A set of strings that can be paged through. */
export interface MemberSet {
  readonly members: Set<string>
  readonly order: KeyOrder
}

export const memberSetKind: LeafKind<MemberSet> = {
  create: () => ({ members: new Set(), order: createKeyOrder() }),
  copy: ({ members, order }) => ({ members: new Set(members), order: copyKeyOrder(order) }),
  size: ({ members }) => members.size,
}

/** Adds those that are not in yet and says how many they were. */
export function addMembers({ members, order }: MemberSet, added: readonly string[]): number {
  const before = members.size
  for (const member of added) {
    if (members.has(member)) continue
    members.add(member)
    touchKey(order, member)
  }
  return members.size - before
}

/** Removes those that are in and says how many they were. */
export function removeMembers({ members, order }: MemberSet, removed: readonly string[]): number {
  const before = members.size
  for (const member of removed) {
    if (members.delete(member)) touchKey(order, member)
  }
  return before - members.size
}

/** How many are in the first set and not in the second. */
export function countWithout({ members }: MemberSet, without: MemberSet | undefined): number {
  if (!without) return members.size
  let count = 0
  for (const member of members) if (!without.members.has(member)) count++
  return count
}

/**
 * Empties a set into another one and says how many came new to that.
 *
 * @param replace drop what the other one had and this one has not.
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

/** All members in code-point order; right until the set changes. */
export function orderedMembers({ members, order }: MemberSet): readonly string[] {
  return keysInOrder(order, members)
}

/** Members in code-point order, those after `after`, at most `limit`. */
export function pageKeys({ members, order }: MemberSet, after: string | undefined, limit: number): string[] {
  const sorted = keysInOrder(order, members)
  if (after === undefined) return sorted.slice(0, limit)
  const at = firstNotBefore(sorted, after)
  const start = sorted[at] === after ? at + 1 : at
  return sorted.slice(start, start + limit)
}
