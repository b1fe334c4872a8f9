import type { Environment } from '../../../models/environments/environment.ts'
import { type Segment, type SegmentKeys, segments } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { ApprovalPass } from '../../environments/approval-pass.ts'
import { grow } from '../big/big-segment.ts'
import { isTargetOf, segmentAt } from '../segment-at.ts'
import { entriesOf } from '../target-lists.ts'
import { segmentActions } from './guarded-segment.ts'
import { requireReferences } from './require-references.ts'
import { mostEntries, segmentFaults } from './segment-faults.ts'

/**
 * Validates and stores a changed segment. Every operation that changes a segment calls this function, so that the
 * limits (D24) and approvals (D31) are always checked.
 *
 * @param environment environment of the segment.
 * @param before the stored document; `edited` was made from its current state (`segmentAt`).
 * @param pass allows the change although the environment requires approval.
 * @returns the document as it will be stored; a big segment when its lists became too long for a standard one.
 * @throws ApiError `invalid_request` that names each invalid part; `method_not_allowed` when the environment requires
 *   approval.
 */
export async function saveSegment(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail' | 'readClock' | 'hasCome'>,
  keys: SegmentKeys,
  environment: Environment,
  before: Segment,
  edited: Segment,
  pass: ApprovalPass = {},
): Promise<Segment> {
  const { tx, fail } = context
  const now = context.readClock()
  const errors = segmentFaults(edited)
  if (errors.length > 0) fail('invalid_request', { errors })
  const seen = segmentAt(before, context)
  const besides = await segmentActions(tx, keys, environment, seen, edited, pass)
  await requireReferences(context, keys, before, edited)
  const after = tx.replace(segments, keys, before, { ...edited, lastModified: now }, { seen, besides })
  return entriesOf(after) > mostEntries ? grow(tx, keys, after, now) : withoutStrays(tx, keys, after)
}

/** Removes the expiry dates of targets that no longer exist. */
function withoutStrays(tx: Writer, keys: SegmentKeys, segment: Segment): Segment {
  const { expiringTargets = [] } = segment
  if (expiringTargets.length === 0) return segment
  return tx.follow(segments, keys, segment, {
    ...segment,
    expiringTargets: expiringTargets.filter(isTargetOf(segment)),
  })
}
