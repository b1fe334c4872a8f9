import type { Workflow, WorkflowKeys } from '../../models/workflows/workflow.ts'
import { workflowTasks } from '../../models/workflows/workflow-tasks.ts'
import type { WriteContext } from '../../operation/context.ts'
import { discardRequest } from '../approval-requests/steps/remove-request.ts'
import { loadStageRequests } from './continue-stages.ts'

/**
 * Removes the documents of a deleted workflow: its task, even if a process has just started it, and the approval
 * requests of its stages that were not applied.
 */
export async function discardContents(
  { tx }: Pick<WriteContext, 'tx'>,
  { taskId, stages }: Workflow,
  keys: WorkflowKeys,
): Promise<void> {
  if (taskId !== undefined) tx.finish(workflowTasks, keys, { id: taskId })
  for (const request of (await loadStageRequests(tx, keys, stages)).values()) {
    if (request.status !== 'completed') discardRequest(tx, request)
  }
}
