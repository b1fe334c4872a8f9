import type { Reader, Writer } from '../../storage/unit-of-work.ts'
import { type BigList, bigExcluded, bigIncluded, generations, type Segment, type SegmentKeys, segments } from './segment.ts'
import { noTargets, type Side, type TargetEdit, targetsOn } from './target-lists.ts'

/** The two sets of a big segment's keys, and what its document tells of each. */
const sides = {
  included: { set: bigIncluded, list: 'bigIncluded', other: 'excluded' },
  excluded: { set: bigExcluded, list: 'bigExcluded', other: 'included' },
} as const

/** What makes a segment big, besides its keys. */
export async function bigSegment(tx: Reader, keys: SegmentKeys, contextKind: string, now: number) {
  const past = await tx.get(generations, keys)
  const empty: BigList = { count: 0, revision: 0, changedAt: now }
  return {
    ...noTargets,
    unbounded: true,
    unboundedContextKind: contextKind,
    generation: (past?.count ?? 0) + 1,
    bigIncluded: empty,
    bigExcluded: empty,
  } satisfies Partial<Segment>
}

/** Turns a segment whose lists became too long into a big one: its keys become members of sets, in the same commit. */
export async function grow(tx: Writer, keys: SegmentKeys, segment: Segment, now: number): Promise<Segment> {
  const listed = { included: keysOn(segment, 'included'), excluded: keysOn(segment, 'excluded') }
  const big = await bigSegment(tx, keys, segment_kind(segment), now)
}
