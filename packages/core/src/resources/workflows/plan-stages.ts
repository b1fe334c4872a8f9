import { type ApprovalRequest, approvalRequests } from '../../models/approval-requests/approval-request.ts'
import type { WorkflowKeys } from '../../models/workflows/workflow.ts'
import type { WorkflowCondition, WorkflowStage } from '../../models/workflows/workflow-stage.ts'
import type { Context } from '../../operation/context.ts'
import { fail, type ValidationError } from '../../operation/errors.ts'
import type { Writer } from '../../storage/writer.ts'
import { validateReviewers } from '../approval-requests/steps/validate-reviewers.ts'
import { loadFlagSubject } from '../approval-requests/subjects/flag-subject.ts'
import { flagRefOf, needsReview, type SimulatedStage, simulateStages } from './simulate-stages.ts'
import type { StageInput } from './stage-body.ts'

type PlanContext = Context<Writer, 'invalid_request' | 'not_found'>

type FlagPath = Omit<WorkflowKeys, 'workflowId'>

/**
 * Makes the stages of a workflow, after validating that the caller could apply all of them now, one after the other.
 * Each stage runs with the rights of the author, so the author must have them
 * (docs/decisions/0138-run-workflows-as-tasks-with-approval-requests.md).
 *
 * @throws ApiError `not_found` without the flag or the environment; `invalid_request` naming the invalid parts of a
 *   stage; `forbidden` without the rights for a stage; `method_not_allowed` for a stage without approval in an
 *   environment that requires it.
 */
export async function planStages(
  context: PlanContext,
  keys: FlagPath,
  input: readonly StageInput[],
): Promise<readonly WorkflowStage[]> {
  const subject = (await loadFlagSubject(context.tx, flagRefOf(keys))) ?? context.fail('not_found')
  const errors = await conditionErrors(context, input)
  if (errors.length > 0) context.fail('invalid_request', { errors })
  const stages = newStages(context, input)
  for (const simulated of await simulateStages(context, { keys, stages }, { fullCheck: true })) {
    refuseInapplicable(simulated)
    await requireRights(context, simulated)
  }
  if (stages.some(needsReview)) await requireRequestRights(context, keys)
  subject.requireUnchanged(context.tx)
  return stages
}

async function conditionErrors(context: PlanContext, stages: readonly StageInput[]): Promise<ValidationError[]> {
  const now = context.readClock()
  const errors = stages.flatMap(({ conditions }, stageIndex) =>
    conditions.map(async (condition, index): Promise<ValidationError[]> => {
      const path = `stages.${stageIndex}.conditions.${index}.`
      if (condition.kind === 'ld-approval') return validateReviewers(context.tx, condition, path)
      if (condition.scheduleKind === 'relative') return []
      const { executionDate = 0 } = condition
      return executionDate > now ? [] : [{ attribute: `${path}executionDate`, reason: 'must be in the future' }]
    }),
  )
  return (await Promise.all(errors)).flat()
}

/** Makes stages with ids, none of which has started. */
export function newStages(
  context: Pick<PlanContext, 'useHost'>,
  input: readonly StageInput[],
): readonly WorkflowStage[] {
  const host = context.useHost()
  return input.map(({ name, executeConditionsInSequence, conditions, action }) => ({
    id: host.newId(),
    ...(name === undefined ? {} : { name }),
    ...(executeConditionsInSequence ? { executeConditionsInSequence } : {}),
    // Cast: a date that is missing has been refused earlier.
    conditions: conditions.map((condition) => ({ ...condition, id: host.newId() }) as WorkflowCondition),
    instructions: action.instructions,
  }))
}

/** Fails with the error of a stage that cannot be applied. Its attributes name the stage. */
function refuseInapplicable({ index, error }: SimulatedStage): void {
  if (!error) return
  const { code, errors, explanation, message } = error
  fail(code, {
    ...(errors
      ? { errors: errors.map((each) => ({ ...each, attribute: `stages.${index}.action.${each.attribute}` })) }
      : { message }),
    ...(explanation === undefined ? {} : { explanation }),
    cause: error,
  })
}

/**
 * Requires the rights for a stage. `allowed` instead of `demand`, because the change log records the right for the
 * workflow now, and the rights for the change when it is made.
 */
async function requireRights(context: PlanContext, { changed }: SimulatedStage): Promise<void> {
  for (const { collection, keys, before, actions } of changed) {
    for (const action of actions) {
      if (await context.allowed(action, collection, keys, before)) continue
      fail('forbidden', { explanation: await context.whyNot(action, collection, keys, before) })
    }
  }
}

/** Requires the rights to request the approvals of stages and to apply what reviewers approve. */
async function requireRequestRights(context: PlanContext, keys: FlagPath): Promise<void> {
  const resourceRef = flagRefOf(keys)
  const request = { place: resourceRef, version: 0 } as ApprovalRequest
  const requestKeys = { ...resourceRef, id: '' }
  for (const action of ['createApprovalRequest', 'applyApprovalRequest'] as const) {
    if (await context.allowed(action, approvalRequests.flag, requestKeys, request)) continue
    fail('forbidden', { explanation: await context.whyNot(action, approvalRequests.flag, requestKeys, request) })
  }
}
