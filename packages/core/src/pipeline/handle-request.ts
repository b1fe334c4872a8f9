import type { EngineRequest, EngineResponse } from '../operation/engine-request.ts'
import type { StorageView } from './access/authority.ts'
import { authenticate } from './authenticate.ts'
import { authorize } from './authorize.ts'
import type { MatchedCall, ReceivedRequest } from './call-state.ts'
import { decode } from './decode.ts'
import { asFailure, encode, encodeFailure, safeHeaders } from './encode.ts'
import { execute } from './execute.ts'
import { loadParts, match } from './match.ts'
import { limitRate } from './rate-limit.ts'
import type { RequestPipeline } from './request-pipeline.ts'

/** Handles a request that a transport received. Never rejects: failures become error responses. */
export async function handleRequest(pipeline: RequestPipeline, received: ReceivedRequest): Promise<EngineResponse> {
  try {
    return await runStages(
      pipeline,
      received,
      match, // finds the operation, and requires the version header of beta operations
      authenticate, // finds the caller
      limitRate, // counts the request
      authorize, // checks the caller's policies
      loadParts, // imports schemas, handler and response profile at the first call
      decode, // checks query and body
      execute, // calls the handler and commits
      encode, // makes status, headers and text
    )
  } catch (error) {
    const { requestId, headers, operation }: ReceivedRequest & Partial<MatchedCall> = received
    const failure = asFailure(error, pipeline.options.host, operation?.id, requestId)
    // A handler can reject a method too; every 405 response lists the methods of the path
    // (docs/decisions/0001-follow-one-set-of-http-conventions.md#d1-error-status).
    if (operation && failure.status === 405) headers.allow = pipeline.table.methodsAt(operation).join(', ')
    return encodeFailure(failure, headers)
  }
}

type Handle = (request: EngineRequest) => Promise<EngineResponse>

/** Returns a function that handles requests with a header by `handleNamed`, and all others by `handle`. */
export function routeByHeader(
  header: string,
  handleNamed: (value: string, request: EngineRequest) => Promise<EngineResponse>,
  handle: Handle,
): Handle {
  return (request) => {
    const value = request.header(header)
    return value === undefined ? handle(request) : handleNamed(value, request)
  }
}

/**
 * Creates the state of a request.
 *
 * @param view its reads and decisions. Default: those of the pipeline.
 */
export function receive(
  { options, view }: RequestPipeline,
  request: EngineRequest,
  overrides: { readonly view?: StorageView; readonly ifNoneMatch?: undefined } = {},
): ReceivedRequest {
  const ownId = request.header('x-request-id')
  // The caller's own id is returned when it is safe in a header and a log
  // (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
  const requestId = ownId !== undefined && /^[\w.:-]{1,128}$/.test(ownId) ? ownId : options.host.newId()
  return {
    request,
    requestId,
    headers: safeHeaders(requestId),
    ifMatch: request.header('if-match'),
    ifNoneMatch: 'ifNoneMatch' in overrides ? undefined : request.header('if-none-match'),
    view: overrides.view ?? view,
    url: () => (request.query === '' ? request.path : `${request.path}?${request.query}`),
  }
}

/** A step of the pipeline: returns the call with added properties, or rejects with a declared failure. */
type Stage<In, Out> = (pipeline: RequestPipeline, call: In) => Out | Promise<Out>

/** Runs stages in order, each with the result of the previous one. */
export async function runStages<A, B, C, D, E, F, G, H, I>(
  pipeline: RequestPipeline,
  call: A,
  ...stages: [Stage<A, B>, Stage<B, C>, Stage<C, D>, Stage<D, E>, Stage<E, F>, Stage<F, G>, Stage<G, H>, Stage<H, I>]
): Promise<I> {
  let state: unknown = call
  // Cast: each stage receives the result of the previous one.
  for (const stage of stages as unknown as readonly Stage<unknown, unknown>[]) {
    const next = stage(pipeline, state)
    // The majority of stages return no promise, and awaiting other values would cost every request a turn of the
    // microtask queue.
    state = next instanceof Promise ? await next : next
  }
  return state as I
}
