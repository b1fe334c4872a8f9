import { approvalRequests } from '../../models/approval-requests/approval-request.ts'
import { environments } from '../../models/environments/environment.ts'
import type { Workflow, WorkflowKeys } from '../../models/workflows/workflow.ts'
import type { WorkflowCondition } from '../../models/workflows/workflow-stage.ts'
import { progressConditions } from '../../rules/workflow/stage-progress.ts'
import { requestKeysOf } from '../approval-requests/find-request.ts'
import { completeRequest, requireApplicable } from '../approval-requests/steps/apply-request.ts'
import { loadFlagSubject } from '../approval-requests/subjects/flag-subject.ts'
import { type ContinueContext, currentStage, loadStageRequests, requestIdOf, withStage } from './continue-stages.ts'
import { flagRefOf } from './simulate-stages.ts'

/**
 * Performs the action of the current stage, all of whose conditions hold, with the rights of the caller, and starts the
 * next stage.
 *
 * @throws ApiError as a patch of the flag; `invalid_request` when something that reviewers have approved was changed
 *   since.
 */
export async function applyStage(context: ContinueContext, keys: WorkflowKeys, workflow: Workflow): Promise<Workflow> {
  const { tx } = context
  const stage = currentStage(workflow)
  const resourceRef = flagRefOf(keys)
  const [subject, environment, requests] = await Promise.all([
    loadFlagSubject(tx, resourceRef),
    tx.get(environments, keys),
    loadStageRequests(tx, keys, [stage]),
  ])
  if (!subject || !environment) return context.fail('not_found')
  const approvals = stage.conditions.flatMap((condition) => requests.get(requestIdOf(condition) ?? '') ?? [])
  for (const request of approvals) await requireApplicable(context, request)
  if (approvals.length > 0 || environment.approvalSettings.bypassApprovalsForPendingChanges) {
    context.setApproved(resourceRef)
  }
  const comment = commentOn(workflow)
  await subject.apply(context, stage.instructions, { comment, fullCheck: true })
  context.setComment(comment)
  for (const request of approvals) {
    completeRequest(context, request)
    // The request needs no sentence of its own, because the sentence about the stage says that it was applied.
    tx.describe(approvalRequests.flag, requestKeysOf(request), [])
  }
  return startNext(withStage(workflow, { ...stage, stoppedAt: context.readClock() }), context.readClock())
}

function commentOn(workflow: Workflow): string {
  const { name = `stage ${workflow.stage + 1}` } = currentStage(workflow)
  return `Workflow ${workflow.name}: ${name}`
}

/** Starts the stage after the current one, or completes the workflow. */
function startNext(workflow: Workflow, now: number): Workflow {
  const next = workflow.stages[workflow.stage + 1]
  if (!next) return { ...workflow, status: 'completed', stoppedAt: now }
  const started = { ...next, startedAt: now }
  const conditions = progressConditions<WorkflowCondition>(started, now, () => false)
  return withStage({ ...workflow, stage: workflow.stage + 1 }, { ...started, conditions })
}
