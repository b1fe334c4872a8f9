import type { ApprovalRequest } from '../../../models/approval-requests/approval-request.ts'
import { type WorkflowTask, workflowTasks } from '../../../models/workflows/workflow-tasks.ts'
import type { WriteContext } from '../../../operation/context.ts'

/** Adds the task by which the workflow that made a request finds out that the request has changed, if one made it. */
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
