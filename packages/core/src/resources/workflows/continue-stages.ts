import { type ApprovalRequest, approvalRequests } from '../../models/approval-requests/approval-request.ts'
import { environments } from '../../models/environments/environment.ts'
import { members } from '../../models/members/member.ts'
import { teams } from '../../models/teams/team.ts'
import type { Workflow, WorkflowKeys } from '../../models/workflows/workflow.ts'
import type { ApprovalTerms, WorkflowCondition, WorkflowStage } from '../../models/workflows/workflow-stage.ts'
import { workflowTasks } from '../../models/workflows/workflow-tasks.ts'
import type { Context, WriteContext } from '../../operation/context.ts'
import { approvalRefusal } from '../../rules/approval/approval-steps.ts'
import { isReady, nextTimeOf, progressConditions } from '../../rules/workflow/stage-progress.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Writer } from '../../storage/writer.ts'
import { requestKeysOf } from '../approval-requests/find-request.ts'
import { insertRequest } from '../approval-requests/steps/create-request.ts'
import { flagRefOf } from './simulate-stages.ts'

type FlagPath = Omit<WorkflowKeys, 'workflowId'>

/** The context in which the engine or a caller continues a workflow. */
export type ContinueContext = Context<Writer, 'invalid_request' | 'forbidden' | 'not_found'>

/** A workflow without the properties that follow from the progress of its current stage. */
type UnversionedWorkflow = Omit<Workflow, 'version'>

/** Returns the current stage of a workflow. */
export function currentStage({ stages, stage }: Pick<Workflow, 'stages' | 'stage'>): WorkflowStage {
  // A workflow has at least one stage, and the index always refers to an existing stage.
  return stages[stage] as WorkflowStage
}

/** Returns a workflow with another current stage. */
export function withStage<W extends Pick<Workflow, 'stages' | 'stage'>>(workflow: W, after: WorkflowStage): W {
  return { ...workflow, stages: workflow.stages.map((stage, index) => (index === workflow.stage ? after : stage)) }
}

/** Returns the approval requests of stages, by their ids. Deleted requests are missing. */
export async function loadStageRequests(
  tx: Reader,
  keys: FlagPath,
  stages: readonly WorkflowStage[],
): Promise<ReadonlyMap<string, ApprovalRequest>> {
  const ids = stages.flatMap(({ conditions }) => conditions.flatMap((condition) => requestIdOf(condition) ?? []))
  const resourceRef = flagRefOf(keys)
  const requests = await tx.getMany(
    approvalRequests.flag,
    ids.map((id) => ({ ...resourceRef, id })),
  )
  return new Map(requests.flatMap((request) => (request ? [[request.id, request] as const] : [])))
}

/** Returns the id of the approval request of a condition that has begun; undefined for all others. */
export function requestIdOf(condition: WorkflowCondition): string | undefined {
  return condition.kind === 'ld-approval' ? condition.requestId : undefined
}

/**
 * Continues the current stage: begins the conditions whose turn has come, requests the approvals among them, and finds
 * out which conditions hold.
 *
 * @throws ApiError `invalid_request` when an approval request was deleted; or the errors of the creation of an approval
 *   request.
 */
export async function continueStage<W extends UnversionedWorkflow>(
  context: ContinueContext,
  keys: FlagPath,
  workflow: W,
): Promise<W> {
  const now = context.readClock()
  const stage = currentStage(workflow)
  const [requests, environment] = await Promise.all([
    loadStageRequests(context.tx, keys, [stage]),
    context.tx.get(environments, keys),
  ])
  const { approvalSettings } = environment ?? context.fail('not_found')
  // A review that this process has not read yet makes the commit conflict. Otherwise the task of the review would be
  // finished as if there were no review.
  for (const request of requests.values()) {
    context.tx.expect(approvalRequests.flag, requestKeysOf(request), request)
  }
  const isApproved = (condition: WorkflowCondition) => {
    const id = requestIdOf(condition)
    if (id === undefined) return false
    const request = requests.get(id) ?? refuseWithoutRequest(context)
    return approvalRefusal(request, { do: 'apply' }, approvalSettings) === undefined
  }
  const progressed = progressConditions<WorkflowCondition>(stage, now, isApproved)
  const conditions: WorkflowCondition[] = []
  for (const condition of progressed) {
    conditions.push(
      needsRequest(condition)
        ? { ...condition, requestId: await requestApproval(context, keys, workflow, condition) }
        : condition,
    )
  }
  return withStage(workflow, { ...stage, conditions })
}

/** Returns true for an approval that has begun and that was not requested yet. */
function needsRequest(condition: WorkflowCondition): condition is Extract<WorkflowCondition, ApprovalTerms> {
  return condition.kind === 'ld-approval' && condition.startedAt !== undefined && condition.requestId === undefined
}

function refuseWithoutRequest({ fail }: ContinueContext): never {
  return fail('invalid_request', { message: 'The approval request of the stage was deleted' })
}

/** Makes the approval request of a condition, and returns its id. Members and teams that were deleted are left out. */
async function requestApproval(
  context: ContinueContext,
  keys: FlagPath,
  workflow: UnversionedWorkflow,
  { description, notifyMemberIds, notifyTeamKeys }: ApprovalTerms,
): Promise<string> {
  const { tx } = context
  const { id, name, stage: stageIndex } = workflow
  const { name: stageName, instructions } = currentStage(workflow)
  const [memberDocuments, teamDocuments] = await Promise.all([
    tx.getMany(
      members,
      notifyMemberIds.map((memberId) => ({ memberId })),
    ),
    tx.getMany(
      teams,
      notifyTeamKeys.map((teamKey) => ({ teamKey })),
    ),
  ])
  const body = {
    description: description?.trim() ? description : `Stage ${stageName ?? stageIndex + 1} of the workflow ${name}`,
    // Casts: the list has the form that the schema of requests parses.
    instructions: instructions as { kind: string }[],
    notifyMemberIds: notifyMemberIds.filter((_, index) => memberDocuments[index]),
    notifyTeamKeys: notifyTeamKeys.filter((_, index) => teamDocuments[index]),
  }
  const request = await insertRequest(context, flagRefOf(keys), body, {
    id,
    name,
    stageIndex,
    ...(stageName === undefined ? {} : { stageName }),
  })
  return request.id
}

/**
 * Plans the task that continues a workflow when the next condition of its current stage may hold; immediately when all
 * hold.
 *
 * @param before the workflow with the task of an earlier plan, which is removed when the time has changed.
 */
export function planTask<W extends UnversionedWorkflow>(
  context: Pick<WriteContext, 'tx' | 'useHost' | 'readClock'>,
  keys: WorkflowKeys,
  workflow: W,
  before?: Pick<Workflow, 'taskId' | 'dueAt'>,
): W {
  const stage = currentStage(workflow)
  const { taskId: _, dueAt: __, ...rest } = workflow
  const hasWork = isReady(stage) || stage.conditions.some(needsRequest)
  const next = hasWork ? context.readClock() : nextTimeOf(stage)
  const due = workflow.status === 'active' ? next : undefined
  if (due !== undefined && before?.dueAt === due && before.taskId !== undefined) {
    return { ...rest, taskId: before.taskId, dueAt: due } as W
  }
  if (before?.taskId !== undefined) context.tx.finish(workflowTasks, keys, { id: before.taskId })
  if (due === undefined) return rest as W
  return { ...rest, taskId: enqueueAt(context, keys, due), dueAt: due } as W
}

/** Adds a task that continues a workflow at a time, and returns its id. */
export function enqueueAt(
  context: Pick<WriteContext, 'tx' | 'useHost'>,
  { projectKey, environmentKey, flagKey, workflowId }: WorkflowKeys,
  due: number,
): string {
  const host = context.useHost()
  const id = host.newId()
  const body = { projectKey, environmentKey, flagKey, workflowId }
  context.tx.enqueue(workflowTasks, body, [{ id, lane: '', at: due, due, body }])
  return id
}
