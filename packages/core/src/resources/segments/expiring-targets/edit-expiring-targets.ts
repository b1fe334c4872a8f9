import { environments } from '../../../models/environments/environment.ts'
import { type Segment, type SegmentKeys, segments } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import {
  type ExpiringTarget,
  type ExpiryClock,
  editExpiringTargets,
} from '../../../rules/expiring-targets/expiring-targets.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { Writer } from '../../../storage/writer.ts'
import { requireComment } from '../../environments/require-comment.ts'
import type { TargetOwner } from '../../targeting/expiring-target-operations.ts'
import { type ExpiryRequest, expiryEditOf } from '../../targeting/expiring-target-request.ts'
import { refuseExpiryErrors } from '../../targeting/refuse-expiry-errors.ts'
import { saveSegment } from '../changes/save-segment.ts'
import { isTargetOf, revisionAt, segmentAt } from '../segment-at.ts'

/** Segments as owners of targets that expire. */
export const segmentTargets: TargetOwner<SegmentKeys, 'targetType'> = {
  kind: 'segment',
  keyParameter: 'segmentKey',
  listName: 'targetType',
  read: expiringTargetsOf,
  change: changeExpiringTargets,
}

async function expiringTargetsOf(
  context: Context<Reader, 'not_found'>,
  keys: SegmentKeys,
): Promise<readonly ExpiringTarget[]> {
  const segment = (await context.tx.get(segments, keys)) ?? context.fail('not_found')
  context.setRevision(revisionAt(segment, context))
  return datesOf(segment, context)
}

/**
 * Sets the expiry dates of targets of a standard segment; a big segment has no individual targets.
 *
 * @returns the dates to store.
 * @throws ApiError `not_found`; `invalid_request` with each invalid instruction; `optimistic_locking_error` for a date
 *   whose version has changed.
 */
async function changeExpiringTargets(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  keys: SegmentKeys,
  { instructions, comment }: ExpiryRequest<'targetType'>,
): Promise<readonly ExpiringTarget[]> {
  const { tx, fail } = context
  const host = context.useHost()
  const now = context.readClock()
  const [stored, environment] = await Promise.all([tx.get(segments, keys), tx.get(environments, keys)])
  if (!stored || !environment) return fail('not_found')
  context.requireRevision(revisionAt(stored, context))
  const current = segmentAt(stored, context)
  const edits = instructions.map((instruction) => expiryEditOf(instruction.targetType, instruction))
  const editContext = { isTarget: isTargetOf(current), now, newId: host.newId }
  const { targets, errors } = editExpiringTargets(current.expiringTargets ?? [], edits, editContext)
  refuseExpiryErrors(errors, instructions)
  const after = await saveSegment(context, { keys, before: stored, after: { ...current, expiringTargets: targets } })
  if (after !== stored) requireComment(environment, comment)
  context.setRevision(revisionAt(after, context))
  return datesOf(after, context)
}

function datesOf(segment: Segment, moment: ExpiryClock): readonly ExpiringTarget[] {
  return segmentAt(segment, moment).expiringTargets ?? []
}
