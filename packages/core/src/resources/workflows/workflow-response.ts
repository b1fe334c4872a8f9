import * as v from 'valibot'
import type { ApprovalRequest } from '../../models/approval-requests/approval-request.ts'
import type { ApprovalSettings } from '../../models/environments/approval-settings.ts'
import { environments } from '../../models/environments/environment.ts'
import type { Workflow, WorkflowKeys } from '../../models/workflows/workflow.ts'
import type { WorkflowCondition, WorkflowStage } from '../../models/workflows/workflow-stage.ts'
import type { ReadContext, ResponseFormat } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import { reviewStatusOf } from '../../rules/approval/reviews.ts'
import { dueTimeOf, isReady, nextTimeOf } from '../../rules/workflow/stage-progress.ts'
import { serializeReview } from '../approval-requests/approval-request-response.ts'
import { staleInstructions } from '../approval-requests/subjects/conflicts.ts'
import { loadFlagSubject } from '../approval-requests/subjects/flag-subject.ts'
import { currentStage, loadStageRequests, requestIdOf } from './continue-stages.ts'
import { shownParameters } from './shown-parameters.ts'
import { flagRefOf, simulateStages } from './simulate-stages.ts'
import {
  type ConditionResponse,
  type ExecutionStatus,
  executionResponse,
  type StageResponse,
  stageResponse,
} from './stage-response.ts'

const workflowObject = v.object({
  _id: v.string(),
  _version: v.number(),
  /** Stages that could not be applied to the current state of the flag, after the stages before them. */
  _conflicts: list(v.object({ stageId: v.string(), message: v.string() })),
  _creationDate: timestamp(),
  _maintainerId: v.optional(v.string()),
  name: v.string(),
  description: v.optional(v.string()),
  kind: v.literal('custom'),
  stages: list(stageResponse),
  _execution: executionResponse,
  /** Time and reason of the failure, when a stage could not be applied. */
  failure: v.optional(v.object({ date: timestamp(), reason: v.string() })),
  templateKey: v.optional(v.string()),
  /** The parameters of the template. Only in the response to a creation from a template. */
  meta: v.optional(v.object({ parameters: shownParameters })),
  _links: links(),
})

/** A workflow in a response. */
export interface WorkflowResponse extends v.InferOutput<typeof workflowObject> {}

export const workflowResponse: v.GenericSchema<WorkflowResponse> = workflowObject

/** Documents on which the response for a stage depends. */
interface StageView {
  readonly format: ResponseFormat
  readonly requests: ReadonlyMap<string, ApprovalRequest>
  readonly settings: Pick<ApprovalSettings, 'minNumApprovals'>
  /** Status of the workflow. */
  readonly status: Workflow['status']
  /** Index of the current stage. */
  readonly current: number
}

/** The response for one workflow, with conflicts for the current state of the flag. */
export async function serializeWorkflow(
  context: ReadContext,
  workflow: Workflow,
  keys: Omit<WorkflowKeys, 'workflowId'>,
): Promise<WorkflowResponse> {
  const { format, tx } = context
  const { id, version, name, description, maintainerId, templateKey, stages, status, stage } = workflow
  const [requests, environment] = await Promise.all([loadStageRequests(tx, keys, stages), tx.get(environments, keys)])
  const settings = environment?.approvalSettings ?? { minNumApprovals: 1 }
  const view = { format, requests, settings, status, current: stage }
  const { projectKey, flagKey, environmentKey } = keys
  const parent = path`/api/v2/projects/${projectKey}/flags/${flagKey}/environments/${environmentKey}/workflows`
  return {
    _id: id,
    _version: version,
    _conflicts: status === 'active' ? await conflictsOfWorkflow(context, workflow, { keys, requests }) : [],
    _creationDate: format.time(workflow.createdAt),
    ...(maintainerId === undefined ? {} : { _maintainerId: maintainerId }),
    name,
    ...(description === undefined ? {} : { description }),
    kind: 'custom',
    stages: stages.map((each, index) => serializeStage(view, each, index)),
    _execution: {
      status: status === 'active' ? statusOfStage(view, currentStage(workflow), stage) : status,
      ...stopDate(format, workflow),
    },
    ...(workflow.failure === undefined || workflow.stoppedAt === undefined
      ? {}
      : { failure: { date: format.time(workflow.stoppedAt), reason: workflow.failure } }),
    ...(templateKey === undefined ? {} : { templateKey }),
    _links: selfAndParent(`${parent}/${encodeURIComponent(id)}`, parent),
  }
}

/** The approval requests of the workflows of a flag, by their ids. */
interface WorkflowRequests {
  readonly keys: Omit<WorkflowKeys, 'workflowId'>
  readonly requests: ReadonlyMap<string, ApprovalRequest>
}

/** Returns the stages that have not run and could not be applied now, with the reasons. */
async function conflictsOfWorkflow(
  context: ReadContext,
  { stages, stage: current }: Workflow,
  { keys, requests }: WorkflowRequests,
): Promise<WorkflowResponse['_conflicts']> {
  const remaining = stages.slice(current)
  const simulated = await simulateStages(context, { keys, stages: remaining }, { fullCheck: false })
  const inapplicable = simulated.flatMap(({ index, error }) =>
    error ? [{ stageId: remaining[index]?.id ?? '', message: error.message }] : [],
  )
  return [...(await conflictsOfReview(context, remaining[0], { keys, requests })), ...inapplicable]
}

/** Returns the conflicts with changes that were made after the approval requests of the current stage. */
async function conflictsOfReview(
  context: ReadContext,
  stage: WorkflowStage | undefined,
  { keys, requests }: WorkflowRequests,
): Promise<WorkflowResponse['_conflicts']> {
  const subject = await loadFlagSubject(context.tx, flagRefOf(keys))
  if (!stage || !subject) return []
  const open = stage.conditions.flatMap((condition) => requests.get(requestIdOf(condition) ?? '') ?? [])
  const conflicts = await Promise.all(open.map((request) => staleInstructions(context, request, subject)))
  return conflicts.flat().map(({ reason }) => ({ stageId: stage.id, message: reason }))
}

function stopDate(format: ResponseFormat, { stoppedAt }: { readonly stoppedAt?: number | undefined }) {
  return stoppedAt === undefined ? {} : { stopDate: format.time(stoppedAt) }
}

function serializeStage(view: StageView, stage: WorkflowStage, index: number): StageResponse {
  const { id, name, executeConditionsInSequence, conditions, instructions } = stage
  return {
    _id: id,
    ...(name === undefined ? {} : { name }),
    ...(executeConditionsInSequence ? { executeConditionsInSequence } : {}),
    conditions: conditions.map((condition) => serializeCondition(view, stage, { index, condition })),
    action: { kind: 'patch', instructions: instructions as StageResponse['action']['instructions'] },
    _execution: { status: statusOfStage(view, stage, index), ...stopDate(view.format, stage) },
  }
}

function statusOfStage({ status, current }: StageView, stage: WorkflowStage, index: number): ExecutionStatus {
  if (index > current) return 'pending'
  if (index < current || status === 'completed') return 'completed'
  if (status === 'failed') return 'failed'
  const waitsForTime = !isReady(stage) && nextTimeOf(stage) !== undefined
  const waitsForReview = stage.conditions.some(({ kind, heldAt }) => kind === 'ld-approval' && heldAt === undefined)
  return waitsForTime && !waitsForReview ? 'scheduled' : 'running'
}

/** A condition of a stage, and its position. */
interface StageCondition {
  readonly index: number
  readonly condition: WorkflowCondition
}

function serializeCondition(
  view: StageView,
  stage: WorkflowStage,
  { index, condition }: StageCondition,
): ConditionResponse {
  const { id, kind, heldAt } = condition
  const stops = heldAt === undefined ? {} : { stopDate: view.format.time(heldAt) }
  const base = { _id: id, kind, _execution: { status: statusOfCondition(view, index, condition), ...stops } }
  return kind === 'schedule'
    ? { ...base, ...scheduleEntries(view.format, condition), ...withoutReviews }
    : { ...base, ...approvalEntries(view, stage, condition) }
}

function statusOfCondition(
  { status, current }: StageView,
  index: number,
  condition: WorkflowCondition,
): ExecutionStatus {
  if (condition.heldAt !== undefined || index < current) return 'completed'
  if (index > current || condition.startedAt === undefined) return 'pending'
  if (status === 'failed') return 'failed'
  return condition.kind === 'schedule' ? 'scheduled' : 'pending'
}

const withoutReviews = { description: '', notifyMemberIds: [], allReviews: [], reviewStatus: 'pending' } as const

function scheduleEntries(
  format: ResponseFormat,
  condition: Extract<WorkflowCondition, { readonly kind: 'schedule' }>,
): Partial<ConditionResponse> {
  const { scheduleKind } = condition
  if (scheduleKind === 'absolute') return { scheduleKind, executionDate: format.time(condition.executionDate) }
  const { waitDuration, waitDurationUnit } = condition
  const due = dueTimeOf(condition)
  return {
    scheduleKind,
    waitDuration,
    waitDurationUnit,
    ...(due === undefined ? {} : { executionDate: format.time(due) }),
  }
}

function approvalEntries(
  { format, requests, settings }: StageView,
  stage: WorkflowStage,
  condition: Extract<WorkflowCondition, { readonly kind: 'ld-approval' }>,
) {
  const { description = '', notifyMemberIds, notifyTeamKeys, requestId } = condition
  const request = requests.get(requestId ?? '')
  const applied = request?.status === 'completed' ? stage.stoppedAt : undefined
  return {
    description: request?.description ?? description,
    notifyMemberIds: request?.notifyMemberIds ?? notifyMemberIds,
    notifyTeamKeys: request?.notifyTeamKeys ?? notifyTeamKeys,
    allReviews: (request?.reviews ?? []).map((review) => serializeReview(format, review)),
    reviewStatus: request ? reviewStatusOf(request.reviews, settings) : 'pending',
    ...(applied === undefined ? {} : { appliedDate: format.time(applied) }),
    ...(requestId === undefined ? {} : { approvalRequestId: requestId }),
  } as const
}
