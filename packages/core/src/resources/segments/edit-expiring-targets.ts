import type { Context } from '../../operation/context.ts'
import { editExpiringTargets as edited } from '../../rules/expiring-targets/expiring-targets.ts'
import type { Writer } from '../../storage/writer.ts'
import { environments } from '../environments/environment.ts'
import { requireComment } from '../environments/require-comment.ts'
import { type ExpiryInstruction, expiryEditOf } from '../targeting/expiring-target-request-wire.ts'
import { refuseExpiryFaults } from '../targeting/refuse-expiry-faults.ts'
import { saveSegment } from './save-segment.ts'
import { type Segment, type SegmentKeys, segments } from './segment.ts'
import { isTargetOf, revisionAt, segmentAt } from './segment-at.ts'

interface Asked {
  readonly comment?: string
  readonly instructions: readonly (ExpiryInstruction & { readonly targetType: string })[]
}

/**
 * Says when targets of a standard segment stop being some; a big one has none that it could name.
 *
 * @returns the document as it is to be stored.
 * @throws ApiError `not_found`; `invalid_request` naming each instruction that cannot be followed;
 *   `optimistic_locking_error` for a date whose version is another one by now.
 */
export async function editExpiringTargets(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  keys: SegmentKeys,
  { instructions, comment }: Asked,
): Promise<Segment> {
  const { tx, fail } = context
  const host = context.useHost()
  const now = context.readClock()
  const [found, environment] = await Promise.all([tx.get(segments, keys), tx.get(environments, keys)])
  if (!found || !environment) return fail('not_found')
  context.requireRevision(revisionAt(found, context))
  const seen = segmentAt(found, context)
  const edits = instructions.map((one) => expiryEditOf(one.targetType, one))
  const ground = { isTarget: isTargetOf(seen), now, newId: host.newId }
  const { targets, faults } = edited(seen.expiringTargets ?? [], edits, ground)
  refuseExpiryFaults(faults, instructions)
  const after = await saveSegment(context, keys, environment, found, { ...seen, expiringTargets: targets })
  if (after !== found) requireComment(environment, comment)
  context.revision(revisionAt(after, context))
  return after
}
