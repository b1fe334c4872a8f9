import {
  type ApprovalRequest,
  approvalIndex,
  type RequestKeys,
  type RequestWorkflow,
  type ResourceRef,
  requestsAbout,
} from '../../../models/approval-requests/approval-request.ts'
import { projects } from '../../../models/projects/project.ts'
import type { Context } from '../../../operation/context.ts'
import type { ValidationError } from '../../../operation/errors.ts'
import { parse } from '../../../operation/schema.ts'
import type { Writer } from '../../../storage/writer.ts'
import { mandateOf } from '../../tokens/mandate.ts'
import type { RequestBody } from '../approval-request-body.ts'
import type { ApprovalRequestResponse } from '../approval-request-response.ts'
import { serializeSingleRequest } from '../serialize-requests.ts'
import { basisOf, dryRun } from '../subjects/conflicts.ts'
import { instructionsFor, loadSubject } from '../subjects/load-subject.ts'
import type { Instructions, Subject } from '../subjects/subject.ts'
import { enqueueRequest } from './enqueue-request.ts'
import { personOf } from './person.ts'
import { validateReviewers } from './validate-reviewers.ts'

type CreateContext = Context<Writer, 'invalid_request' | 'forbidden' | 'not_found'>

/**
 * Creates a request for a change of a flag, segment or AI config, or for a list of changes
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 *
 * @throws ApiError `not_found` when the resource does not exist, or the caller may not view its project; `forbidden`
 *   without `createApprovalRequest`; `invalid_request` that names every instruction that cannot be applied now.
 */
export async function createRequest(
  context: CreateContext,
  resourceRef: ResourceRef,
  body: RequestBody,
): Promise<ApprovalRequestResponse> {
  const request = await insertRequest(context, resourceRef, body)
  context.setRevision(request.version)
  return serializeSingleRequest(context, request, [])
}

/**
 * Checks and inserts a request like {@link createRequest}, and returns its document.
 *
 * @param workflow the stage of a workflow that makes the request; default: a caller makes it.
 */
export async function insertRequest(
  context: CreateContext,
  resourceRef: ResourceRef,
  body: RequestBody,
  workflow?: RequestWorkflow,
): Promise<ApprovalRequest> {
  const { tx, caller } = context
  const host = context.useHost()
  const now = context.readClock()
  const { person, memberId, serviceTokenId } = personOf(caller)
  const { description, notifyMemberIds, notifyTeamKeys, executionDate } = body
  const id = host.newId()
  const keys: RequestKeys = { ...resourceRef, id }
  const collection = requestsAbout(resourceRef)
  if (!(await context.allowed('viewProject', projects, resourceRef))) context.fail('not_found')
  await context.demand('createApprovalRequest', collection, keys, { place: resourceRef, version: 0 } as ApprovalRequest)
  const subject = (await loadSubject(tx, resourceRef)) ?? context.fail('not_found')
  const [{ instructions, instructionErrors }, reviewerErrors] = await Promise.all([
    checkInstructions(context, resourceRef, subject, body),
    validateReviewers(tx, { notifyMemberIds, notifyTeamKeys }),
  ])
  const errors = [...instructionErrors, ...reviewerErrors, ...validateExecutionDate(resourceRef, executionDate, now)]
  if (errors.length > 0) context.fail('invalid_request', { errors })
  subject.requireUnchanged(tx)
  const request = tx.insert(collection, keys, {
    id,
    place: resourceRef,
    description,
    instructions,
    basis: await basisOf(context, { subject, instructions }),
    requestor: person,
    requestorId: serviceTokenId ?? memberId ?? person,
    notifyMemberIds,
    notifyTeamKeys,
    reviews: [],
    status: executionDate === undefined ? 'pending' : 'scheduled',
    ...(executionDate === undefined ? {} : { executionDate }),
    mandate: mandateOf(caller),
    ...(workflow ? { workflow } : {}),
    createdAt: now,
  })
  tx.insert(approvalIndex, { id }, resourceRef)
  if (executionDate !== undefined) enqueueRequest(tx, request, executionDate)
  return request
}

/** Parses and checks instructions. Returns them with their validation errors. */
async function checkInstructions(
  context: CreateContext,
  resourceRef: ResourceRef,
  subject: Subject,
  { instructions: rawInstructions }: Pick<RequestBody, 'instructions'>,
): Promise<{ readonly instructions: Instructions; readonly instructionErrors: readonly ValidationError[] }> {
  const parsed = parse(instructionsFor(resourceRef), { instructions: rawInstructions })
  if (!parsed.ok) return { instructions: [], instructionErrors: parsed.errors }
  const { instructions } = parsed.value as { readonly instructions: Instructions }
  await subject.check?.(context, instructions, resourceRef)
  return { instructions, instructionErrors: await dryRun(context, { subject, instructions }, true, resourceRef) }
}

function validateExecutionDate(
  { kind }: ResourceRef,
  executionDate: number | undefined,
  now: number,
): ValidationError[] {
  if (executionDate === undefined) return []
  if (kind === 'proj') return [{ attribute: 'executionDate', reason: 'must not be set for a list of changes' }]
  if (executionDate > now) return []
  return [{ attribute: 'executionDate', reason: 'must be in the future' }]
}
