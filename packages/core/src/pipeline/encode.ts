import type { Host } from '../operation/context.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { EngineResponse } from '../operation/engine-request.ts'
import { ApiError } from '../operation/errors.ts'
import { ApiLink } from '../operation/link.ts'
import type { LazyResponseProfile } from '../operation/response-profile.ts'
import { isStorageUnavailable } from '../storage/port.ts'
import type { ExecutedCall, ReceivedRequest } from './call-state.ts'

type Headers = Record<string, string>

export interface EncodeParts {
  readonly options: EngineOptions
  readonly profile: LazyResponseProfile | undefined
  readonly writeJson: JsonWriter
}

/** Stage 7: makes status, headers and JSON text of the outcome; 304 when the caller has the response already. */
export function encode(
  parts: EncodeParts,
  call: ReceivedRequest & ExecutedCall,
): EngineResponse | Promise<EngineResponse> {
  const { operation, outcome, params, query, view } = call
  const reshape = outcome.body === undefined ? undefined : parts.profile?.loaded?.bodies[operation.id]
  if (!reshape) return encodeBody(parts, call, outcome.body)
  const { account } = parts.options.handlers
  const reshaped = reshape(outcome.body, { account, params, query, tx: view.reader })
  if (!(reshaped instanceof Promise)) return encodeBody(parts, call, reshaped)
  return reshaped.then((body) => encodeBody(parts, call, body))
}

function encodeBody(
  { options, writeJson }: EncodeParts,
  call: ReceivedRequest & ExecutedCall,
  body: unknown,
): EngineResponse {
  const { operation, outcome, headers } = call
  const { etag, location } = outcome
  if (etag !== undefined) setEtag(headers, etag)
  if (isNotModified(call, call.ifNoneMatch)) return { status: 304, headers, body: undefined }
  const { mountPath = '' } = call.request
  if (location !== undefined) headers.location = `${mountPath}${location}`
  const { status, mediaType, pathProperties = [] } = operation.success
  if (mediaType !== undefined) {
    headers['content-type'] = mediaType
    headers['content-disposition'] = 'attachment'
    const fail = (error: unknown) => asFailure(error, options.host, operation.id, call.requestId)
    return { status, headers, body: undefined, pieces: reportingPieces(body as AsyncIterable<string>, fail) }
  }
  if (body === undefined || status === 204) return { status, headers, body: undefined }
  headers['content-type'] = 'application/json'
  return { status, headers, body: mountPath === '' ? writeJson(body) : mountedJson(body, mountPath, pathProperties) }
}

/** Returns true when a caller with this `If-None-Match` has the response already. */
export function isNotModified({ operation, outcome }: ExecutedCall, ifNoneMatch: string | undefined): boolean {
  const { etag, showsMore: more } = outcome
  return etag !== undefined && operation.method === 'GET' && !more && includesEtag(ifNoneMatch, etag)
}

/** Returns true when `If-None-Match` lists an ETag; weak ones count as well (RFC 9110, 13.1.2). */
export function includesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === etag) return ifNoneMatch === etag
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((listed) => listed.trim().replace(/^W\//, '') === etag)
}

/**
 * Security headers: a browser must not guess the type of a response, render it in a frame, run scripts in it, or store
 * it.
 */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const

/** Returns the headers that every response over a transport has. */
export function safeHeaders(requestId: string): Headers {
  return { 'x-request-id': requestId, ...securityHeaders }
}

/** Sets the ETag. The browser of the caller may store such a response, and revalidates it each time. */
export function setEtag(headers: Headers, etag: string): void {
  headers.etag = etag
  headers['cache-control'] = 'private, no-cache'
}

/**
 * Returns the error response of a call that failed in any stage: its status and `{code, message}`
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
 */
export function encodeFailure(failure: ApiError, headers: Headers): EngineResponse {
  Object.assign(headers, failure.headers)
  headers['content-type'] = 'application/json'
  return { status: failure.status, headers, body: JSON.stringify(failure.body) }
}

/**
 * Yields the chunks of a streamed response. An error that ends the stream is logged, because the status has been sent
 * already.
 */
async function* reportingPieces(
  pieces: AsyncIterable<string>,
  fail: (error: unknown) => ApiError,
): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    throw fail(error)
  }
}

/**
 * Converts an error to a declared failure: 503 for a storage that cannot be reached, 500 for an unhandled error, which
 * is logged.
 */
export function asFailure(error: unknown, host: Host, operation: string | undefined, requestId: string): ApiError {
  if (error instanceof ApiError) {
    if (error.explanation) {
      host.log({ level: 'debug', event: 'request-refused', requestId, operation, message: error.explanation })
    }
    return error
  }
  if (isStorageUnavailable(error)) {
    host.log({ level: 'warn', event: 'storage-unavailable', requestId, operation, error })
    return new ApiError('service_unavailable', { cause: error })
  }
  host.log({ level: 'error', event: 'unhandled-error', requestId, operation, error })
  return new ApiError('internal_error', { cause: error })
}

/**
 * Returns JSON text in which the links to other responses, and the named properties of the body, begin with a mount
 * path.
 */
function mountedJson(body: unknown, mountPath: string, pathProperties: readonly string[]): string {
  return JSON.stringify(body, function mount(this: unknown, name, value) {
    if (value instanceof ApiLink) return { ...value, href: `${mountPath}${value.href}` }
    return this === body && pathProperties.includes(name) ? `${mountPath}${value}` : value
  })
}

/** Writes the body of a response as JSON text. */
export type JsonWriter = (body: unknown) => string

/**
 * Creates a writer that caches the text of `_access`.
 *
 * The access details of a resource are computed once and appear in many responses as the same frozen object, and are
 * the larger part of most of these responses. The text of such an object is cached while the object is referenced, and
 * is the last property of the response. This applies to a response and to the items of a list; `JSON.stringify` writes
 * everything else.
 */
export function jsonWriter(): JsonWriter {
  const texts = new WeakMap<object, string>()

  function accessText(access: object): string {
    let text = texts.get(access)
    if (text === undefined) texts.set(access, (text = JSON.stringify(access)))
    return text
  }

  function resourceText(body: unknown): string {
    if (!hasCachedAccess(body)) return JSON.stringify(body)
    const { _access, ...rest } = body
    return withProperty(JSON.stringify(rest), '_access', accessText(_access))
  }

  return (body) => {
    if (!isObject(body) || !Array.isArray(body.items)) return resourceText(body)
    // The whole list takes a fifth less time than its items.
    if (!body.items.some(hasCachedAccess)) return JSON.stringify(body)
    const { items, ...rest } = body
    // `JSON.stringify` writes null for an item of an array that has no JSON text.
    const itemTexts = (items as readonly unknown[]).map((item) => resourceText(item) ?? 'null')
    return withProperty(JSON.stringify(rest), 'items', `[${itemTexts.join(',')}]`)
  }
}

/** Returns true for a resource with access details whose text may be cached, because nothing changes them. */
function hasCachedAccess(body: unknown): body is { readonly _access: object } {
  return isObject(body) && isObject(body._access) && Object.isFrozen(body._access)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Returns the text of an object with one more property at its end. */
function withProperty(object: string, name: string, value: string): string {
  return object === '{}' ? `{"${name}":${value}}` : `${object.slice(0, -1)},"${name}":${value}}`
}
