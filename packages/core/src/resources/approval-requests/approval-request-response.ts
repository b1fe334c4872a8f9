import * as v from 'valibot'
import {
  type ApprovalRequest,
  type RequestWorkflow,
  type ResourceRef,
  resourceOf,
  type StoredReview,
} from '../../models/approval-requests/approval-request.ts'
import type { ApprovalSettings } from '../../models/environments/approval-settings.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { expand, links, list, storedOnly, timestamp } from '../../operation/schema.ts'
import { addressOf } from '../../rules/address.ts'
import { approvalStatuses } from '../../rules/approval/approval-steps.ts'
import { reviewKinds, reviewStatuses, reviewStatusOf } from '../../rules/approval/reviews.ts'
import { approvalSettings, environmentResponse } from '../environments/environment-schema.ts'
import { flagResponse } from '../flags/flag-schema.ts'
import { projectResponse } from '../projects/project-schema.ts'

export const reviewResponse = v.object({
  _id: v.string(),
  kind: v.picklist(reviewKinds),
  creationDate: timestamp(),
  comment: v.optional(v.string()),
  memberId: v.optional(v.string()),
  serviceTokenId: v.optional(v.string()),
})

const instruction = v.record(v.string(), v.unknown())

const approvalRequestObject = v.object({
  _id: v.string(),
  _version: v.number(),
  creationDate: timestamp(),
  serviceKind: storedOnly(v.string()),
  requestorId: v.optional(v.string()),
  description: v.optional(v.string()),
  reviewStatus: v.picklist(reviewStatuses),
  allReviews: list(reviewResponse),
  notifyMemberIds: list(v.string()),
  notifyTeamKeys: v.optional(storedOnly(list(v.string()))),
  status: v.picklist(approvalStatuses),
  instructions: list(instruction),
  conflicts: list(v.object({ instruction, reason: v.string() })),
  appliedDate: v.optional(timestamp()),
  appliedByMemberId: v.optional(v.string()),
  appliedByServiceTokenId: v.optional(v.string()),
  executionDate: v.optional(timestamp()),
  /** Time and reason of the failure, when the engine could not apply the request. */
  failure: v.optional(v.object({ date: v.optional(timestamp()), reason: v.string() })),
  resourceId: v.optional(v.string()),
  /** The stage of a workflow that the request is about. */
  customWorkflowMetadata: v.optional(
    v.object({
      name: v.string(),
      stage: v.object({ index: v.number(), name: v.optional(v.string()) }),
    }),
  ),
  approvalSettings: v.optional(approvalSettings),
  _links: links(),
  flag: v.optional(flagResponse),
  project: v.optional(projectResponse),
  environments: v.optional(list(environmentResponse)),
})

/** An approval request in a response. */
export interface ApprovalRequestResponse extends v.InferOutput<typeof approvalRequestObject> {}

export const approvalRequestResponse: v.GenericSchema<ApprovalRequestResponse> = approvalRequestObject

const requestExpansions = ['flag', 'project', 'environments'] as const

export type RequestExpansion = (typeof requestExpansions)[number]

/** Query parameters of operations that return one request. */
export const expandQuery = { expand: expand(...requestExpansions) }

/** Properties of the response that are not in the document of the request. */
export interface RequestView extends Pick<ApprovalRequestResponse, 'conflicts' | RequestExpansion> {
  /** Current settings of the environments that the request concerns. */
  readonly settings: ApprovalSettings
}

/** Serializes a request. Its reviews are evaluated with the current settings of its environments. */
export function serializeRequest(
  { format }: Pick<ReadContext, 'format'>,
  request: ApprovalRequest,
  { settings, ...view }: RequestView,
): ApprovalRequestResponse {
  const { id, place: resourceRef, applied, executionDate, failure, failedAt, reviews } = request
  return {
    _id: id,
    _version: request.version,
    creationDate: format.time(request.createdAt),
    serviceKind: settings.serviceKind,
    requestorId: request.requestorId,
    description: request.description,
    reviewStatus: reviewStatusOf(reviews, settings),
    allReviews: reviews.map((review) => serializeReview(format, review)),
    notifyMemberIds: request.notifyMemberIds,
    notifyTeamKeys: request.notifyTeamKeys,
    status: request.status,
    instructions: request.instructions as ApprovalRequestResponse['instructions'],
    ...(applied ? { appliedDate: format.time(applied.at) } : {}),
    ...(applied?.memberId === undefined ? {} : { appliedByMemberId: applied.memberId }),
    ...(applied?.serviceTokenId === undefined ? {} : { appliedByServiceTokenId: applied.serviceTokenId }),
    ...(executionDate === undefined ? {} : { executionDate: format.time(executionDate) }),
    ...(failure === undefined
      ? {}
      : { failure: { ...(failedAt === undefined ? {} : { date: format.time(failedAt) }), reason: failure } }),
    resourceId: addressOf(resourceOf(resourceRef)),
    ...(request.workflow ? { customWorkflowMetadata: metadataOf(request.workflow) } : {}),
    approvalSettings: settings,
    _links: linksOf(id, resourceRef),
    ...view,
  }
}

function metadataOf({ name, stageIndex, stageName }: RequestWorkflow) {
  return { name, stage: { index: stageIndex, ...(stageName === undefined ? {} : { name: stageName }) } }
}

/** Serializes a review of a request. */
export function serializeReview(
  format: ReadContext['format'],
  { id, createdAt, reviewer: _, ...properties }: StoredReview,
) {
  return { _id: id, creationDate: format.time(createdAt), ...properties }
}

function linksOf(id: string, { kind, projectKey, environmentKey, resourceKey }: ResourceRef) {
  const resourcePaths = {
    flag: path`/api/v2/flags/${projectKey}/${resourceKey}`,
    segment: path`/api/v2/segments/${projectKey}/${environmentKey ?? ''}/${resourceKey}`,
    aiconfig: path`/api/v2/projects/${projectKey}/ai-configs/${resourceKey}`,
    proj: path`/api/v2/projects/${projectKey}`,
  }
  return {
    ...selfAndParent(path`/api/v2/approval-requests/${id}`, '/api/v2/approval-requests'),
    [kind === 'proj' ? 'project' : kind]: linkTo(resourcePaths[kind]),
  }
}
