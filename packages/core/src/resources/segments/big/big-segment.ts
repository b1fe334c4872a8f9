import {
  type BigList,
  bigExcluded,
  bigIncluded,
  generations,
  type Segment,
  type SegmentKeys,
  segments,
} from '../../../models/segments/segment.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import type { Writer } from '../../../storage/writer.ts'
import { contextKindsOf, emptyTargetLists, type Side, targetsOn } from '../target-lists.ts'

type SegmentContext = Pick<WriteContext, 'tx' | 'readClock'>

/**
 * The sides of a big segment, included and excluded: the set with the keys of each side, and the property of the
 * document with their count.
 */
export const bigSides = {
  included: { set: bigIncluded, list: 'bigIncluded' },
  excluded: { set: bigExcluded, list: 'bigExcluded' },
} as const

/** The kind of the contexts of a big segment; `grown` is true when it was a standard segment before. */
export interface BigSegmentOrigin {
  readonly contextKind: string
  /** True for a segment that was created as a standard one. */
  readonly grown: boolean
}

/** Returns the properties of a new, empty big segment. */
export async function emptyBigSegment(
  context: SegmentContext,
  keys: SegmentKeys,
  { contextKind, grown }: BigSegmentOrigin,
) {
  const previous = await context.tx.get(generations, keys)
  const list: BigList = { count: 0, revision: 0, changedAt: context.readClock() }
  return {
    ...emptyTargetLists,
    unbounded: true,
    unboundedContextKind: contextKind,
    grown,
    generation: (previous?.count ?? 0) + 1,
    bigIncluded: list,
    bigExcluded: list,
  }
}

/**
 * Converts a segment whose lists became too long into a big segment, in the same commit
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d24-segments). It is a consequence of the caller's change, so
 * it requires no right to a list that the caller did not change.
 *
 * @param segment a segment with keys of one context kind and without rules.
 */
export async function convertToBigSegment(
  context: SegmentContext,
  keys: SegmentKeys,
  segment: Segment,
): Promise<Segment> {
  const [contextKind = userKind] = contextKindsOf(segment)
  let big: Segment = { ...segment, ...(await emptyBigSegment(context, keys, { contextKind, grown: true })) }
  for (const side of ['included', 'excluded'] as const) {
    const added = targetsOn(segment, side).flatMap((targets) => targets.values)
    big = writeBigSegmentKeys(context, { keys, segment: big }, { side, added, removed: [] })
  }
  return context.tx.follow(segments, keys, segment, big)
}

/** Keys that are added to and removed from a set of a big segment. */
export interface KeyChanges {
  readonly side: Side
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** A segment as it is stored, and its keys. */
export interface StoredSegment {
  readonly keys: SegmentKeys
  readonly segment: Segment
}

/**
 * Changes a set of a big segment.
 *
 * @param changes exactly the keys that change, because their number changes the count.
 * @returns the document to be stored in the same commit.
 */
export function writeBigSegmentKeys(
  context: SegmentContext,
  { keys, segment }: StoredSegment,
  { side, added, removed }: KeyChanges,
): Segment {
  if (added.length + removed.length === 0) return segment
  const { tx } = context
  const { set, list } = bigSides[side]
  if (added.length > 0) tx.addKeys(set, keys, added)
  if (removed.length > 0) tx.removeKeys(set, keys, removed)
  const { count = 0, revision = 0 } = segment[list] ?? {}
  const updatedList: BigList = {
    count: count + added.length - removed.length,
    revision: revision + 1,
    changedAt: context.readClock(),
  }
  return { ...segment, [list]: updatedList }
}

/** Stores the generation of a big segment that is deleted, so that the next segment with its key gets a higher one. */
export async function saveGeneration(tx: Writer, keys: SegmentKeys, segment: Segment): Promise<void> {
  if (!segment.unbounded) return
  const previous = await tx.get(generations, keys)
  if (previous) tx.follow(generations, keys, previous, { ...previous, count: segment.generation })
  else tx.insert(generations, keys, { count: segment.generation })
}
