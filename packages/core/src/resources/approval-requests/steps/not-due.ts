import { type ApprovalRequest, dueRequestTasks } from '../../../models/approval-requests/approval-request.ts'
import type { Writer } from '../../../storage/writer.ts'

/**
 * Takes a request off the clock, where it is on it.
 *
 * @param takes how often its task was taken: the call fails where another process has taken it since.
 */
export function notDueAnyMore(tx: Writer, { id, place, executionDate }: ApprovalRequest, takes?: number): void {
  if (executionDate === undefined) return
  tx.finish(dueRequestTasks[place.kind], place, takes === undefined ? { id } : { id, takes })
}
