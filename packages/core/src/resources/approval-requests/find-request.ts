import {
  type ApprovalPlace,
  type ApprovalRequest,
  approvalPlaces,
  approvalRequests,
} from '../../models/approval-requests/approval-request.ts'
import { environments } from '../../models/environments/environment.ts'
import { projects } from '../../models/projects/project.ts'
import type { Context } from '../../operation/context.ts'
import type { Reader } from '../../storage/reader.ts'

type FindContext = Pick<Context<Reader, 'not_found'>, 'tx' | 'allowed' | 'fail'>

/** The request with this id; 404 where it is not there, or in a project that the caller may not view. */
export async function findRequest(context: FindContext, params: { readonly id: string }): Promise<ApprovalRequest> {
  return requestAt(context, await placeOf(context, params), params.id)
}

/** The same for whoever takes a step, which the environment has a say in: that is asked for in the same turn. */
export async function findRequestToStep(
  context: FindContext,
  params: { readonly id: string },
): Promise<ApprovalRequest> {
  const place = await placeOf(context, params)
  const [request] = await Promise.all([requestAt(context, place, params.id), context.tx.get(environments, place)])
  return request
}

async function placeOf({ tx, fail }: FindContext, { id }: { readonly id: string }): Promise<ApprovalPlace> {
  return (await tx.get(approvalPlaces, { id })) ?? fail('not_found')
}

async function requestAt(context: FindContext, place: ApprovalPlace, id: string): Promise<ApprovalRequest> {
  const [request, visible] = await Promise.all([
    context.tx.get(approvalRequests[place.kind], { ...place, id }),
    context.allowed('viewProject', projects, place),
  ])
  return (visible ? request : undefined) ?? context.fail('not_found')
}

/** The parameters of the paths that name a flag first. */
export interface FlagRequestParams {
  readonly projectKey: string
  readonly featureFlagKey: string
  readonly environmentKey: string
}

/** What requests under such a path are about. */
export function flagPlace({ projectKey, environmentKey, featureFlagKey }: FlagRequestParams) {
  return { kind: 'flag', projectKey, environmentKey, resourceKey: featureFlagKey } as const
}

/** The same for a request about a flag that the path names; the door has asked whether the caller may view it. */
export async function findFlagRequest(
  { tx, fail }: Pick<Context<Reader, 'not_found'>, 'tx' | 'fail'>,
  params: FlagRequestParams & { readonly id: string },
): Promise<ApprovalRequest> {
  return (await tx.get(approvalRequests.flag, { ...flagPlace(params), id: params.id })) ?? fail('not_found')
}

/** Where the documents of a request are. */
export function keysOf({ place, id }: ApprovalRequest) {
  return { ...place, id }
}
