import type { ApprovalRequest } from '../../../models/approval-requests/approval-request.ts'
import { type WorkflowTask, workflowTasks } from '../../../models/workflows/workflow-tasks.ts'
import type { WriteContext } from '../../../operation/context.ts'

/**
 * Adds the task that continues the workflow which made a request, after the request has changed. Does nothing for other
 * requests.
 */
export function continueWorkflow(
  context: Pick<WriteContext, 'tx' | 'useHost' | 'readClock'>,
  { place: { projectKey, environmentKey, resourceKey }, workflow }: ApprovalRequest,
): void {
  if (!workflow || environmentKey === undefined) return
  const now = context.readClock()
  const host = context.useHost()
  const body: WorkflowTask = { projectKey, environmentKey, flagKey: resourceKey, workflowId: workflow.id }
  context.tx.enqueue(workflowTasks, body, [{ id: host.newId(), lane: '', at: now, due: now, body }])
}
