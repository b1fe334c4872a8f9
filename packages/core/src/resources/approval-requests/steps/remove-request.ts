import {
  type ApprovalRequest,
  approvalIndex,
  requestsAbout,
} from '../../../models/approval-requests/approval-request.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import { requestKeysOf } from '../find-request.ts'
import { cancelDueTask } from './cancel-due-task.ts'
import { continueWorkflow } from './continue-workflow.ts'
import { requireStep } from './require-step.ts'

/**
 * Deletes a request, unless it was applied: an applied request is a part of the history
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export async function removeRequest(
  context: Context<Writer, 'invalid_request' | 'forbidden' | 'not_found' | 'optimistic_locking_error'>,
  request: ApprovalRequest,
): Promise<void> {
  context.requireRevision(request.version)
  await context.demand('deleteApprovalRequest', requestsAbout(request.place), requestKeysOf(request), request)
  await requireStep(context, request, { do: 'delete' })
  continueWorkflow(context, request)
  discardRequest(context.tx, request)
}

/** Removes a request and everything that is stored for it, without any check. */
export function discardRequest(tx: Writer, request: ApprovalRequest): void {
  cancelDueTask(tx, request)
  tx.remove(requestsAbout(request.place), requestKeysOf(request), request)
  tx.discard(approvalIndex, request)
}
