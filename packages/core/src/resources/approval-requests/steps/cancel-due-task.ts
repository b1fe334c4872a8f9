import { type ApprovalRequest, dueRequestsAbout } from '../../../models/approval-requests/approval-request.ts'
import type { Writer } from '../../../storage/writer.ts'

/**
 * Cancels the task that applies a request at its scheduled time, when it has one.
 *
 * @param takes number of times that workers have taken the task: the call fails when another process has taken it
 *   since.
 */
export function cancelDueTask(
  tx: Writer,
  { id, place: resourceRef, executionDate }: ApprovalRequest,
  takes?: number,
): void {
  if (executionDate === undefined) return
  tx.finish(dueRequestsAbout(resourceRef), resourceRef, takes === undefined ? { id } : { id, takes })
}
