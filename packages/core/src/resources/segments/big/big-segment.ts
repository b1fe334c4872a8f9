import {
  type BigList,
  bigExcluded,
  bigIncluded,
  generations,
  type Segment,
  type SegmentKeys,
  segments,
} from '../../../models/segments/segment.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { Writer } from '../../../storage/writer.ts'
import { kindsOf, noTargets, type Side, targetsOn } from '../target-lists.ts'

/** What belongs to each side of a big segment: the set of its keys, and the member of the document that tells of it. */
export const bigSides = {
  included: { set: bigIncluded, list: 'bigIncluded' },
  excluded: { set: bigExcluded, list: 'bigExcluded' },
} as const

/** What makes a segment a big one that is still empty. */
export async function emptyBigSegment(tx: Reader, keys: SegmentKeys, contextKind: string, now: number) {
  const past = await tx.get(generations, keys)
  const list: BigList = { count: 0, revision: 0, changedAt: now }
  return {
    ...noTargets,
    unbounded: true,
    unboundedContextKind: contextKind,
    generation: (past?.count ?? 0) + 1,
    bigIncluded: list,
    bigExcluded: list,
  }
}

/**
 * Turns a segment whose lists became too long into a big one, in the same commit (D24). It follows from what the caller
 * did, so it takes no right to a list that the caller left alone.
 *
 * @param segment with keys of one context kind and without rules.
 */
export async function grow(tx: Writer, keys: SegmentKeys, segment: Segment, now: number): Promise<Segment> {
  const [contextKind = userKind] = kindsOf(segment)
  let big: Segment = { ...segment, ...(await emptyBigSegment(tx, keys, contextKind, now)) }
  for (const side of ['included', 'excluded'] as const) {
    const added = targetsOn(segment, side).flatMap((targets) => targets.values)
    big = writeMembers(tx, keys, big, side, { added, removed: [] }, now)
  }
  return tx.follow(segments, keys, segment, big)
}

/** Keys that come to a set of a big segment, and keys that leave it. */
export interface Difference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Changes a set of a big segment.
 *
 * @param difference exactly what changes: its lengths go into the count.
 * @returns the document as it is to be stored in the same commit.
 */
export function writeMembers(
  tx: Writer,
  keys: SegmentKeys,
  segment: Segment,
  side: Side,
  { added, removed }: Difference,
  now: number,
): Segment {
  if (added.length + removed.length === 0) return segment
  const { set, list } = bigSides[side]
  if (added.length > 0) tx.addKeys(set, keys, added)
  if (removed.length > 0) tx.removeKeys(set, keys, removed)
  const { count = 0, revision = 0 } = segment[list] ?? {}
  const told: BigList = { count: count + added.length - removed.length, revision: revision + 1, changedAt: now }
  return { ...segment, [list]: told }
}

/** Remembers a big segment that is being deleted, so that the next one under its key is known to be another. */
export async function rememberGeneration(tx: Writer, keys: SegmentKeys, segment: Segment): Promise<void> {
  if (!segment.unbounded) return
  const past = await tx.get(generations, keys)
  if (past) tx.follow(generations, keys, past, { ...past, count: segment.generation })
  else tx.insert(generations, keys, { count: segment.generation })
}
