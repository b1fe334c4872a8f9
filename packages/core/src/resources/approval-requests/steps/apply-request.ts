import { type ApprovalRequest, requestsAbout } from '../../../models/approval-requests/approval-request.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { ApprovalRequestResponse } from '../approval-request-response.ts'
import { requestKeysOf } from '../find-request.ts'
import { serializeSingleRequest } from '../serialize-requests.ts'
import { staleInstructions } from '../subjects/conflicts.ts'
import { loadSubject } from '../subjects/load-subject.ts'
import type { Subject } from '../subjects/subject.ts'
import { cancelDueTask } from './cancel-due-task.ts'
import { personOf } from './person.ts'
import { requireStep } from './require-step.ts'

/**
 * Applies a request: makes its change with the rights of the caller. The caller needs the rights to all parts of the
 * change, and the right `applyApprovalRequest` (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 *
 * @param comment comment of the caller; default: the description of the request.
 * @param takes number of times that workers have taken the task that applies the request at its scheduled time;
 *   undefined when a caller applies it.
 * @throws ApiError `invalid_request` without enough approvals, or naming each instruction that is in conflict with a
 *   later change. In both cases nothing is changed.
 */
export async function applyRequest(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  before: ApprovalRequest,
  comment: string | undefined,
  takes?: number,
): Promise<ApprovalRequestResponse> {
  context.requireRevision(before.version)
  if (before.workflow) {
    const message = 'A workflow applies the approval request, once all conditions of its stage hold'
    context.fail('invalid_request', { message })
  }
  const subject = await requireApplicable(context, before)
  context.setApproved(before.place)
  await subject.apply(context, before.instructions, {
    comment: comment?.trim() ? comment : before.description,
    fullCheck: true,
  })
  context.setComment(before.description)
  cancelDueTask(context.tx, before, takes)
  const after = completeRequest(context, before)
  context.setRevision(after.version)
  return serializeSingleRequest(context, after, [])
}

/**
 * Requires that reviewers have approved a request, that its subject has not changed since it was made, and that the
 * caller may apply it.
 *
 * @returns the subject of the request.
 * @throws ApiError as {@link applyRequest}.
 */
export async function requireApplicable(
  context: Context<Writer, 'invalid_request' | 'not_found'>,
  request: ApprovalRequest,
): Promise<Subject> {
  const [, loadedSubject] = await Promise.all([
    requireStep(context, request, { do: 'apply' }),
    loadSubject(context.tx, request.place),
  ])
  const subject = loadedSubject ?? context.fail('not_found')
  const stale = await staleInstructions(context, request, subject, context.tx)
  if (stale.length > 0) {
    const errors = stale.map(({ index, reason }) => ({ attribute: `instructions.${index}`, reason }))
    context.fail('invalid_request', { errors })
  }
  await context.demand('applyApprovalRequest', requestsAbout(request.place), requestKeysOf(request), request)
  return subject
}

/** Marks a request as applied by the caller. */
export function completeRequest(
  context: Context<Writer, 'invalid_request' | 'not_found'>,
  before: ApprovalRequest,
): ApprovalRequest {
  const { person: _, ...ids } = personOf(context.caller)
  const applied = { ...before, status: 'completed', applied: { at: context.readClock(), ...ids } } as const
  return context.tx.replace(requestsAbout(before.place), requestKeysOf(before), before, applied)
}
