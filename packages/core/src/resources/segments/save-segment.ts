import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/unit-of-work.ts'
import { grow } from './big-segment.ts'
import { requireReferences } from './require-references.ts'
import { type Segment, type SegmentKeys, segments } from './segment.ts'
import { isTargetOf, segmentAt } from './segment-at.ts'
import { mostEntries, segmentFaults } from './segment-faults.ts'
import { entriesOf } from './target-lists.ts'

/**
 * Stores a changed segment: the one way for every operation that changes one, so that what D24 asks of segments holds
 * however it was changed.
 *
 * @param before as it is stored; `edited` was made of what it is now (`segmentAt`).
 * @returns the document as it will be stored; a big one where its lists became too long for a standard one.
 * @throws ApiError `invalid_request` naming each part that cannot be as it is.
 */
export async function saveSegment(
  context: Context<Writer, 'invalid_request'>,
  keys: SegmentKeys,
  before: Segment,
  edited: Segment,
): Promise<Segment> {
  const { tx, fail, now } = context
  const errors = segmentFaults(edited)
  if (errors.length > 0) fail('invalid_request', { errors })
  await requireReferences(context, keys, before, edited)
  const after = tx.replace(segments, keys, before, { ...edited, lastModified: now }, segmentAt(before, now))
  return entriesOf(after) > mostEntries ? grow(tx, keys, after, now) : withoutStrays(tx, keys, after)
}

/** A target that was taken out has no date any more; so much follows from taking it out. */
function withoutStrays(tx: Writer, keys: SegmentKeys, segment: Segment): Segment {
  const { expiringTargets = [] } = segment
  if (expiringTargets.length === 0) return segment
  return tx.follow(segments, keys, segment, {
    ...segment,
    expiringTargets: expiringTargets.filter(isTargetOf(segment)),
  })
}
