import { type ApprovalRequest, requestsAbout } from '../../../models/approval-requests/approval-request.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { ApprovalRequestResponse } from '../approval-request-response.ts'
import { requestKeysOf } from '../find-request.ts'
import { serializeSingleRequest } from '../serialize-requests.ts'
import { staleInstructions } from '../subjects/conflicts.ts'
import { loadSubject } from '../subjects/load-subject.ts'
import { cancelDueTask } from './cancel-due-task.ts'
import { personOf } from './person.ts'
import { requireStep } from './require-step.ts'

/**
 * Applies a request: makes its change with the rights of the caller. The caller needs the right to every part of the
 * change, and `applyApprovalRequest` (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 *
 * @param comment comment of the caller; default: the description of the request.
 * @param takes number of times that the task which applies the request at its time was taken; undefined when a caller
 *   applies it.
 * @throws ApiError `invalid_request` without enough approvals, or naming each instruction that is in conflict with a
 *   later change. In both cases nothing is changed.
 */
export async function applyRequest(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  before: ApprovalRequest,
  comment: string | undefined,
  takes?: number,
): Promise<ApprovalRequestResponse> {
  const { tx, caller } = context
  const now = context.readClock()
  context.requireRevision(before.version)
  const [, loadedSubject] = await Promise.all([
    requireStep(context, before, { do: 'apply' }),
    loadSubject(tx, before.place),
  ])
  const subject = loadedSubject ?? context.fail('not_found')
  const stale = await staleInstructions(context, before, subject, tx)
  if (stale.length > 0) {
    const errors = stale.map(({ index, reason }) => ({ attribute: `instructions.${index}`, reason }))
    context.fail('invalid_request', { errors })
  }
  const collection = requestsAbout(before.place)
  await context.demand('applyApprovalRequest', collection, requestKeysOf(before), before)
  context.setApproved(before.place)
  await subject.apply(context, before.instructions, {
    comment: comment?.trim() ? comment : before.description,
    fullCheck: true,
  })
  context.setComment(before.description)
  const { person: _, ...ids } = personOf(caller)
  cancelDueTask(tx, before, takes)
  const applied = { ...before, status: 'completed', applied: { at: now, ...ids } } as const
  const after = tx.replace(collection, requestKeysOf(before), before, applied)
  context.setRevision(after.version)
  return serializeSingleRequest(context, after, [])
}
