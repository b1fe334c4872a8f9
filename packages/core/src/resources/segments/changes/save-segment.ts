import { type Segment, type SegmentKeys, segments } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Replacement } from '../../../storage/collection.ts'
import type { Writer } from '../../../storage/writer.ts'
import { convertToBigSegment } from '../big/big-segment.ts'
import { isTargetOf, segmentAt } from '../segment-at.ts'
import { countEntries } from '../target-lists.ts'
import { requireValidReferences } from './require-valid-references.ts'
import { maxStandardEntries, validateGrowth, validateSegment } from './validate-segment.ts'

/**
 * Validates and stores a changed segment, which was made from the current state of the stored one (`segmentAt`). Every operation that changes a segment calls this function, so that the
 * limits (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d24-segments) are always checked.
 *
 * @returns the document as it will be stored; a big segment when its lists became too long for a standard one.
 * @throws ApiError `invalid_request` that names each invalid part.
 */
export async function saveSegment(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail' | 'readClock' | 'hasCome'>,
  replacement: Replacement<Segment, SegmentKeys>,
): Promise<Segment> {
  const { tx, fail } = context
  const { keys, before, after: edited } = replacement
  const now = context.readClock()
  const errors = [...validateSegment(edited), ...validateGrowth(before, edited)]
  if (errors.length > 0) fail('invalid_request', { errors })
  const current = segmentAt(before, context)
  await requireValidReferences(context, replacement)
  const after = tx.replace(segments, keys, before, { ...edited, lastModified: now }, { seen: current })
  return countEntries(after) > maxStandardEntries
    ? convertToBigSegment(context, keys, after)
    : withoutOrphanedDates(tx, keys, after)
}

/** Removes the expiry dates of targets that no longer exist. */
function withoutOrphanedDates(tx: Writer, keys: SegmentKeys, segment: Segment): Segment {
  const { expiringTargets = [] } = segment
  if (expiringTargets.length === 0) return segment
  return tx.follow(segments, keys, segment, {
    ...segment,
    expiringTargets: expiringTargets.filter(isTargetOf(segment)),
  })
}
