import type { Caller } from '../operation/caller.ts'
import { fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { isParam, type OperationTable } from '../operation/table.ts'
import type { WireAnswer, WireRequest } from '../operation/wire.ts'
import type { As, Authenticator } from './authenticate.ts'
import { decodeInput } from './decode.ts'
import { asFailure, encodeFailure, toldPieces } from './encode.ts'
import { type AnswerParts, admit, atTheDoor, makeAnswer, recall } from './make-answer.ts'
import { match } from './match.ts'
import type { RateLimiter } from './rate-limit.ts'
import { keepable, safeHeaders } from './safe-headers.ts'
import { checkVersion } from './version.ts'

/** All that the doors need, put together once by the engine. */
export interface WalkParts extends AnswerParts {
  readonly table: OperationTable
  readonly authenticator: Authenticator
  readonly limiter: RateLimiter | undefined
}

/** What a call in process says besides its input. */
export interface CallOptions {
  /** Who calls. */
  readonly as?: As
  /** Fail with `optimistic_locking_error` unless the thing still has this ETag (D11). */
  readonly ifMatch?: string
}

type Input = Readonly<Record<string, unknown>>

/** The way of a request that came over a transport: eight doors in order, one catch at the end. Never rejects. */
export async function walk(parts: WalkParts, request: WireRequest): Promise<WireAnswer> {
  const { options } = parts
  const requestId = requestIdOf(parts, request)
  const headers = safeHeaders(requestId)
  let operation: Operation | undefined
  try {
    const route = match(parts.table, request)
    operation = route.operation
    checkVersion(options, operation, request)
    const given = parts.authenticator.fromHeader(request)
    const caller = given instanceof Promise ? await given : given
    const now = options.host.now()
    const admitted = parts.limiter?.admit(caller.id, operation.id, now, headers)
    // Waiting for what is no promise would cost every request a turn.
    if (admitted) await admitted
    const asked = { request, route, caller, now, ifMatch: request.header('if-match') }
    const answer = recall(parts, asked, headers) ?? (await makeAnswer(parts, asked, headers))
    keepable(headers)
    if (!answer.pieces) return answer
    const tell = (error: unknown) => asFailure(error, options.host, operation?.id, requestId)
    return { ...answer, pieces: toldPieces(answer.pieces, tell) }
  } catch (error) {
    const failure = asFailure(error, options.host, operation?.id, requestId)
    // A handler can refuse a method as well; every such answer says what the path allows (D1).
    if (operation && failure.status === 405) headers.allow = parts.table.methodsAt(operation).join(', ')
    return encodeFailure(failure, headers)
  }
}

/**
 * The way of a call in process: the same doors without those that belong to a wire (D5, D13).
 *
 * @throws ApiError for every agreed failure.
 */
export async function callInProcess(
  parts: WalkParts,
  operation: Operation,
  input: Input,
  { as, ifMatch }: CallOptions,
): Promise<unknown> {
  const { options } = parts
  try {
    const given = parts.authenticator.fromHost(as)
    const caller: Caller = given instanceof Promise ? await given : given
    const params = paramsOf(parts.table, operation, input)
    const granted = await atTheDoor(parts, operation, caller, params)
    const decoded = decodeInput(operation, input)
    const url = () => urlOf(operation, params, input)
    const call = { operation, caller, params, url, now: options.host.now(), ifMatch, granted }
    return (await admit(parts, call, decoded)).body
  } catch (error) {
    throw asFailure(error, options.host, operation.id, 'in-process')
  }
}

/** The caller's own id is echoed when it is sane (D3). */
function requestIdOf(parts: WalkParts, request: WireRequest): string {
  const given = request.header('x-request-id')
  return given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : parts.options.host.newId()
}

function paramsOf(table: OperationTable, operation: Operation, input: Input): Record<string, string> {
  const params: Record<string, string> = {}
  for (const name of table.paramNames(operation)) {
    const value = input[name]
    if (value === undefined) fail('invalid_request', { errors: [{ attribute: name, reason: 'must be present' }] })
    if (!isParam(operation, name, value)) fail('not_found')
    params[name] = value
  }
  return params
}

/** The address that the call would have over a transport: what links to itself and its other pages are made from. */
function urlOf(operation: Operation, params: Readonly<Record<string, string>>, input: Input): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string))
  const pairs = Object.entries(input)
    .filter(([name, value]) => name !== 'body' && !(name in params) && value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}
