import {
  type ApprovalRequest,
  approvalIndex,
  approvalRequests,
  type ResourceRef,
  requestsAbout,
} from '../../models/approval-requests/approval-request.ts'
import { projects } from '../../models/projects/project.ts'
import type { Context } from '../../operation/context.ts'
import type { Reader } from '../../storage/reader.ts'
import { loadRequestEnvironments } from './request-environments.ts'

type FindContext = Pick<Context<Reader, 'not_found'>, 'tx' | 'allowed' | 'fail'>

/** Returns the request with an id. Fails with 404 when it does not exist, or the caller may not view its project. */
export async function findRequest(context: FindContext, params: { readonly id: string }): Promise<ApprovalRequest> {
  return loadRequest(context, await findResourceRef(context, params), params.id)
}

/**
 * Returns the request with an id, for a step that depends on the settings of its environments. Reads the request and
 * these environments in the same round of storage requests.
 */
export async function findRequestForStep(
  context: FindContext,
  params: { readonly id: string },
): Promise<ApprovalRequest> {
  const resourceRef = await findResourceRef(context, params)
  const [request] = await Promise.all([
    loadRequest(context, resourceRef, params.id),
    loadRequestEnvironments(context.tx, resourceRef),
  ])
  return request
}

async function findResourceRef({ tx, fail }: FindContext, { id }: { readonly id: string }): Promise<ResourceRef> {
  return (await tx.get(approvalIndex, { id })) ?? fail('not_found')
}

async function loadRequest(context: FindContext, resourceRef: ResourceRef, id: string): Promise<ApprovalRequest> {
  const [request, visible] = await Promise.all([
    context.tx.get(requestsAbout(resourceRef), { ...resourceRef, id }),
    context.allowed('viewProject', projects, resourceRef),
  ])
  return (visible ? request : undefined) ?? context.fail('not_found')
}

/** Parameters of the paths that name a flag. */
export interface FlagRequestParams {
  readonly projectKey: string
  readonly flagKey: string
  readonly environmentKey: string
}

/** Returns the reference to the flag that the parameters of a path name. */
export function flagRef({ projectKey, environmentKey, flagKey }: FlagRequestParams) {
  return { kind: 'flag', projectKey, environmentKey, resourceKey: flagKey } as const
}

/**
 * Returns the request of a path that names a flag. The access rules have checked that the caller may view the project.
 */
export async function findFlagRequest(
  { tx, fail }: Pick<Context<Reader, 'not_found'>, 'tx' | 'fail'>,
  params: FlagRequestParams & { readonly id: string },
): Promise<ApprovalRequest> {
  return (await tx.get(approvalRequests.flag, { ...flagRef(params), id: params.id })) ?? fail('not_found')
}

/** Returns the keys of the document of a request. */
export function requestKeysOf({ place: resourceRef, id }: ApprovalRequest) {
  return { ...resourceRef, id }
}
