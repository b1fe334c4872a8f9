import { fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { type As, callerWithoutToken } from './authenticate.ts'
import { authorize } from './authorize.ts'
import type { AuthenticatedCall, MatchedCall, Outcome, PathParameters } from './call-state.ts'
import { decodeInput } from './decode.ts'
import { asFailure } from './encode.ts'
import { execute } from './execute.ts'
import type { ExecuteParts } from './execute-parts.ts'
import { isParam, loadDefinition, type OperationTable } from './match.ts'
import type { RequestPipeline } from './request-pipeline.ts'

/** Options of a call in process, in addition to its input. */
export interface CallOptions {
  /** The caller. Operations that anybody may call, such as `acceptInvitation`, ignore it. */
  readonly as: As
  /**
   * Fails with `optimistic_locking_error` unless the resource still has this ETag
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
   */
  readonly ifMatch?: string
}

/** Path parameters, query and `body` of a call, as properties of one object. */
export type CallInputObject = Readonly<Record<string, unknown>>

/**
 * Calls an operation in process, through the stages that do not belong to a transport
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d5-version-header,
 * docs/decisions/0001-follow-one-set-of-http-conventions.md#d13-rate-limit): authenticate, authorize, decode, execute.
 *
 * @returns the body of the response.
 * @throws ApiError for every declared failure.
 */
export async function callInProcess(
  pipeline: RequestPipeline,
  operation: Operation,
  input: CallInputObject,
  { as, ifMatch }: Partial<CallOptions>,
): Promise<unknown> {
  const { authenticator, options } = pipeline
  try {
    const call = matchedCall(pipeline, operation, input, ifMatch)
    const identified = 'anonymous' in operation.access ? callerWithoutToken(pipeline, call) : authenticator.fromHost(as)
    const caller = identified instanceof Promise ? await identified : identified
    const { body } = await runCall(
      pipeline,
      Object.assign(call, { caller, origin: undefined, now: options.host.now() }),
      input,
    )
    return body
  } catch (error) {
    throw asFailure(error, options.host, operation.id, 'in-process')
  }
}

/**
 * Runs an operation within the call of another operation, with the caller and origin of that call.
 *
 * @throws ApiError for every declared failure.
 */
export function callWithin(
  pipeline: ExecuteParts,
  operation: Operation,
  input: CallInputObject,
  { caller, origin, ifMatch }: Pick<AuthenticatedCall, 'caller' | 'origin' | 'ifMatch'>,
): Promise<Outcome> {
  const call = matchedCall(pipeline, operation, input, ifMatch)
  return runCall(pipeline, Object.assign(call, { caller, origin, now: pipeline.options.host.now() }), input)
}

function matchedCall(
  { table, view }: Pick<ExecuteParts, 'table' | 'view'>,
  operation: Operation,
  input: CallInputObject,
  ifMatch: string | undefined,
): MatchedCall {
  const params = paramsOf(table, operation, input)
  return { operation, params, ifMatch, view, url: () => urlOf(operation, params, input) }
}

/** Runs the stages after the identification of the caller. */
async function runCall(pipeline: ExecuteParts, call: AuthenticatedCall, input: CallInputObject): Promise<Outcome> {
  const authorizing = authorize(pipeline, call)
  const authorized = authorizing instanceof Promise ? await authorizing : authorizing
  const loading = loadDefinition(pipeline, authorized)
  const loaded = loading instanceof Promise ? await loading : loading
  const { outcome } = await execute(pipeline, decodeInput(loaded, input))
  return outcome
}

function paramsOf(table: OperationTable, operation: Operation, input: CallInputObject): PathParameters {
  const params: Record<string, string> = {}
  for (const name of table.paramNames(operation)) {
    const value = input[name]
    if (value === undefined) fail('invalid_request', { errors: [{ attribute: name, reason: 'must be present' }] })
    if (!isParam(operation, name, value)) fail('not_found')
    params[name] = value
  }
  return params
}

/** Returns the path and query that the call would have over a transport, for the links of its response. */
function urlOf(operation: Operation, params: PathParameters, input: CallInputObject): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string))
  const pairs = Object.entries(input)
    .filter(([name, value]) => name !== 'body' && !(name in params) && value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}
