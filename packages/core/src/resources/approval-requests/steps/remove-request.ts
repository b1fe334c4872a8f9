import {
  type ApprovalRequest,
  approvalPlaces,
  approvalRequests,
} from '../../../models/approval-requests/approval-request.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import { keysOf } from '../find-request.ts'
import { notDueAnyMore } from './not-due.ts'
import { requireStep } from './require-step.ts'

/** Deletes a request, unless it was applied: an applied request is a part of the history (D31). */
export async function removeRequest(
  context: Context<Writer, 'invalid_request' | 'forbidden' | 'not_found' | 'optimistic_locking_error'>,
  request: ApprovalRequest,
): Promise<void> {
  const { tx } = context
  context.requireRevision(request.version)
  const collection = approvalRequests[request.place.kind]
  await context.demand('deleteApprovalRequest', collection, keysOf(request), request)
  await requireStep(context, request, { do: 'delete' })
  notDueAnyMore(tx, request)
  tx.remove(collection, keysOf(request), request)
  tx.discard(approvalPlaces, request)
}
