import * as v from 'valibot'
import { list, storedOnly, timestamp } from '../../operation/schema.ts'
import { reviewStatuses } from '../../rules/approval/reviews.ts'
import { waitUnits } from '../../rules/workflow/stage-progress.ts'
import { reviewResponse } from '../approval-requests/approval-request-response.ts'

/**
 * Status of a workflow, stage or condition. `pending`: its turn has not come, or it waits for reviewers; `scheduled`:
 * it waits for a time; `running`: its turn has come, and it waits for reviewers or is applied next.
 */
export const executionStatuses = ['pending', 'scheduled', 'running', 'completed', 'failed'] as const

export type ExecutionStatus = (typeof executionStatuses)[number]

export const executionResponse = v.object({
  status: v.picklist(executionStatuses),
  /** Time at which the stage ended. Absent until then. */
  stopDate: v.optional(timestamp()),
})

export type ExecutionResponse = v.InferOutput<typeof executionResponse>

const conditionResponse = v.object({
  _id: v.string(),
  kind: v.picklist(['schedule', 'ld-approval']),
  _execution: executionResponse,
  scheduleKind: v.optional(v.picklist(['absolute', 'relative'])),
  /** Time from which the condition holds, once it is known. */
  executionDate: v.optional(timestamp()),
  waitDuration: v.optional(v.number()),
  waitDurationUnit: v.optional(v.picklist(waitUnits)),
  description: v.string(),
  notifyMemberIds: list(v.string()),
  notifyTeamKeys: v.optional(storedOnly(list(v.string()))),
  allReviews: list(reviewResponse),
  reviewStatus: v.picklist(reviewStatuses),
  /** Time at which the approved action was made. */
  appliedDate: v.optional(timestamp()),
  /** Id of the approval request, once the condition has begun. */
  approvalRequestId: v.optional(v.string()),
})

export type ConditionResponse = v.InferOutput<typeof conditionResponse>

export const stageResponse = v.object({
  _id: v.string(),
  name: v.optional(v.string()),
  executeConditionsInSequence: v.optional(v.boolean()),
  conditions: list(conditionResponse),
  action: v.object({ kind: v.string(), instructions: list(v.record(v.string(), v.unknown())) }),
  _execution: executionResponse,
})

export type StageResponse = v.InferOutput<typeof stageResponse>
