import {
  type ApprovalPlace,
  type ApprovalRequest,
  approvalPlaces,
  approvalRequests,
  type DueRequestTask,
  dueRequestTasks,
  type RequestKeys,
} from '../../../models/approval-requests/approval-request.ts'
import { projects } from '../../../models/projects/project.ts'
import type { Context } from '../../../operation/context.ts'
import type { Fault } from '../../../operation/errors.ts'
import { parse } from '../../../operation/schema.ts'
import type { Writer } from '../../../storage/writer.ts'
import { mandateOf } from '../../tokens/mandate.ts'
import type { RequestBody } from '../approval-request-body-wire.ts'
import type { ApprovalRequestAnswer } from '../approval-request-wire.ts'
import { presentOne } from '../present-requests.ts'
import { basisOf, dryRun } from '../subjects/conflicts.ts'
import { instructionsOf, loadSubject } from '../subjects/load-subject.ts'
import type { Instructions, Subject } from '../subjects/subject.ts'
import { personBehind } from './person.ts'
import { reviewerFaults } from './reviewer-faults.ts'

type MakeContext = Context<Writer, 'invalid_request' | 'forbidden' | 'not_found'>

/**
 * Creates a request for a change of a flag or segment in one environment (D31).
 *
 * @throws ApiError `not_found` when the resource does not exist, or the caller may not view its project; `forbidden`
 *   without `createApprovalRequest`; `invalid_request` that names every instruction that cannot be applied now.
 */
export async function makeRequest(
  context: MakeContext,
  place: ApprovalPlace,
  body: RequestBody,
): Promise<ApprovalRequestAnswer> {
  const { tx, caller } = context
  const host = context.useHost()
  const now = context.readClock()
  const { person, memberId, serviceTokenId } = personBehind(caller)
  const { description, notifyMemberIds, notifyTeamKeys, executionDate } = body
  const id = host.newId()
  const keys: RequestKeys = { ...place, id }
  const collection = approvalRequests[place.kind]
  if (!(await context.allowed('viewProject', projects, place))) context.fail('not_found')
  await context.demand('createApprovalRequest', collection, keys, { place, version: 0 } as ApprovalRequest)
  const subject = (await loadSubject(tx, place)) ?? context.fail('not_found')
  const [{ instructions, faults }, unknown] = await Promise.all([
    checkedInstructions(context, place, subject, body),
    reviewerFaults(tx, { notifyMemberIds, notifyTeamKeys }),
  ])
  const errors = [...faults, ...unknown, ...dateFaults(executionDate, now)]
  if (errors.length > 0) context.fail('invalid_request', { errors })
  subject.hold(tx)
  const request = tx.insert(collection, keys, {
    id,
    place,
    description,
    instructions,
    basis: await basisOf(context, subject, instructions),
    requestor: person,
    requestorId: serviceTokenId ?? memberId ?? person,
    notifyMemberIds,
    notifyTeamKeys,
    reviews: [],
    status: executionDate === undefined ? 'pending' : 'scheduled',
    ...(executionDate === undefined ? {} : { executionDate, mandate: mandateOf(caller) }),
    createdAt: now,
  })
  tx.insert(approvalPlaces, { id }, place)
  if (executionDate !== undefined) {
    const body: DueRequestTask = { place }
    tx.enqueue(dueRequestTasks[place.kind], keys, [{ id, lane: '', at: executionDate, due: executionDate, body }])
  }
  context.revision(request.version)
  return presentOne(context, request, [])
}

/** Parses and checks instructions. Returns them with their validation errors. */
async function checkedInstructions(
  context: MakeContext,
  { kind }: ApprovalPlace,
  subject: Subject,
  { instructions: given }: Pick<RequestBody, 'instructions'>,
): Promise<{ readonly instructions: Instructions; readonly faults: readonly Fault[] }> {
  const read = parse(instructionsOf[kind], { instructions: given })
  if (!read.ok) return { instructions: [], faults: read.faults }
  const { instructions } = read.value as { readonly instructions: Instructions }
  return { instructions, faults: await dryRun(context, subject, instructions, true) }
}

function dateFaults(executionDate: number | undefined, now: number): Fault[] {
  if (executionDate === undefined || executionDate > now) return []
  return [{ attribute: 'executionDate', reason: 'must be in the future' }]
}
