import {
  type ApprovalRequest,
  type DueRequestTask,
  dueRequestsAbout,
} from '../../../models/approval-requests/approval-request.ts'
import type { Writer } from '../../../storage/writer.ts'

/** Adds the task that applies a request at a time, integer ms. */
export function enqueueRequest(
  tx: Writer,
  { id, place: resourceRef }: Pick<ApprovalRequest, 'id' | 'place'>,
  time: number,
): void {
  const body: DueRequestTask = { place: resourceRef }
  tx.enqueue(dueRequestsAbout(resourceRef), resourceRef, [{ id, lane: '', at: time, due: time, body }])
}
