import * as v from 'valibot'
import { type JsonBody, jsonBody } from '../../operation/body.ts'
import type { Context, ReadContext, WriteContext } from '../../operation/context.ts'
import {
  type CallInputOf,
  type Params,
  type ResponseOf,
  type TypedOperation,
  typedOperation,
  type WriteInputOf,
} from '../../operation/operation.ts'
import type { Schema } from '../../operation/schema.ts'
import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import type { Reader } from '../../storage/reader.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import type { ExpiryRequest } from './expiring-target-request.ts'
import { type ListedTargets, serializeInstructionCounts, type TargetingResource } from './expiring-target-response.ts'

/** A kind of resources whose targets can expire: flags or segments. */
export interface TargetOwner<Keys, ListName extends string> {
  readonly kind: TargetingResource['kind']
  /** The path parameter that contains the key of the resource. */
  readonly keyParameter: string
  /** The property of requests and responses that names the list which a target is in. */
  readonly listName: ListName
  /**
   * Returns the future expiry dates of the targets of a resource, and sets the revision of the response.
   *
   * @throws ApiError `not_found` when the resource does not exist.
   */
  read(context: Context<Reader, 'not_found'>, keys: Keys): Promise<readonly ExpiringTarget[]>
  /**
   * Changes expiry dates, and sets the revision of the response.
   *
   * @returns the dates as they will be stored.
   * @throws ApiError `not_found`; `invalid_request` with each instruction that cannot be applied;
   *   `optimistic_locking_error` for a date whose version has changed.
   */
  change(context: WriteContext, keys: Keys, request: ExpiryRequest<ListName>): Promise<readonly ExpiringTarget[]>
}

interface ReadDeclaration<Id extends string, Path extends string, Response extends Schema> {
  readonly id: Id
  readonly summary: string
  readonly path: Path
  /** The schema of the response. */
  readonly response: Response
  /** Serializes the dates: of targets of every kind of context, or of users alone. */
  serialize(
    format: ReadContext['format'],
    resource: TargetingResource,
    targets: readonly ExpiringTarget[],
    list: string,
  ): ListedTargets
}

interface PatchDeclaration<Id extends string, Path extends string, Body extends Schema, Response extends Schema>
  extends ReadDeclaration<Id, Path, Response> {
  readonly body: Body
}

/** Defines the operation that lists the expiry dates of the targets of a resource. */
export function getExpiringTargetsOperation<
  const Id extends string,
  const Path extends string,
  Response extends Schema,
  Keys,
  ListName extends string,
>(
  owner: TargetOwner<Keys, ListName>,
  definition: ReadDeclaration<Id, Path, Response>,
): TypedOperation<Id, CallInputOf<Path, undefined, undefined>, ResponseOf<Response>> {
  return typedOperation({
    id: definition.id,
    summary: definition.summary,
    method: 'GET',
    path: definition.path,
    success: { status: 200, body: definition.response },
    errors: ['not_found'],
    access: { action: 'viewProject', resource: 'proj/{projectKey}' },
    async handle(context: Context<Reader, 'not_found'>, { params }: { params: Params<Path> }) {
      const targets = await owner.read(context, keysOf(owner, params))
      return definition.serialize(context.format, resourceOf(owner, params), targets, owner.listName)
    },
  })
}

/**
 * Expiry dates cannot be part of an approval request. A caller needs this parameter to change them where approval is
 * required.
 */
const query = v.object(bypassQuery)

/** Defines the operation that changes the expiry dates of the targets of a resource. */
export function patchExpiringTargetsOperation<
  const Id extends string,
  const Path extends string,
  Body extends Schema,
  Response extends Schema,
  Keys,
  ListName extends string,
>(
  owner: TargetOwner<Keys, ListName>,
  definition: PatchDeclaration<Id, Path, Body, Response>,
): TypedOperation<Id, WriteInputOf<Path, typeof query, JsonBody<Body>>, ResponseOf<Response>> {
  return typedOperation({
    id: definition.id,
    summary: definition.summary,
    method: 'PATCH',
    path: definition.path,
    query,
    body: jsonBody(definition.body),
    success: { status: 200, body: definition.response },
    errors: ['invalid_request', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
    access: {
      action: 'updateExpiringTargets',
      resource: `proj/{projectKey}:env/{environmentKey}:${owner.kind}/{${owner.keyParameter}}`,
      shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
    },
    async handle(context: WriteContext, { params, body }: { params: Params<Path>; body: ExpiryRequest<ListName> }) {
      const targets = await owner.change(context, keysOf(owner, params), body)
      return {
        ...definition.serialize(context.format, resourceOf(owner, params), targets, owner.listName),
        ...serializeInstructionCounts(body.instructions.length),
      }
    },
  })
}

type PathParams = Readonly<Record<string, string>>

/** Returns the storage keys of a resource. */
function keysOf<Keys>({ kind, keyParameter }: TargetOwner<Keys, string>, params: PathParams): Keys {
  const { [keyParameter]: key, ...environment } = params
  return { ...environment, [`${kind}Key`]: key } as Keys
}

function resourceOf({ kind, keyParameter }: TargetOwner<never, string>, params: PathParams): TargetingResource {
  const { projectKey, environmentKey, [keyParameter]: key } = params as Record<string, string>
  return { kind, projectKey, environmentKey, key } as TargetingResource
}
