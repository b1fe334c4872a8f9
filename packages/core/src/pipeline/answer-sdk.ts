import type { Host } from '../operation/context.ts'
import { fail } from '../operation/errors.ts'
import type { LiveAnswer } from '../operation/live-answer.ts'
import type { WireRequest } from '../operation/wire.ts'
import { asFailure, encodeFailure, isKnown } from './encode.ts'
import { safeHeaders } from './safe-headers.ts'

/** What is asked on a path of SDKs. */
export interface AskedBySdk {
  /** Whether pages of all origins may ask. */
  readonly anyOrigin: boolean
  /** The method that the path knows. */
  readonly method: string
  /** @throws ApiError for what is refused. */
  answer(): Promise<LiveAnswer & { readonly etag?: string }>
}

/** The way of a request of an SDK: its own doors are within `answer`; here is the one catch at the end. Never rejects. */
export async function answerSdk(host: Host, request: WireRequest, asked: AskedBySdk): Promise<LiveAnswer> {
  const requestId = host.newId()
  const headers = { ...safeHeaders(requestId), ...(asked.anyOrigin ? originHeaders : {}) }
  try {
    if (request.method === 'OPTIONS' && asked.anyOrigin)
      return { status: 204, headers: preflight(headers, asked), body: undefined }
    if (request.method !== asked.method) fail('method_not_allowed', { headers: { allow: asked.method } })
    const { etag, ...answer } = await asked.answer()
    if (etag === undefined) return { ...answer, headers: { ...headers, ...answer.headers } }
    const kept = { ...headers, 'cache-control': 'private, no-cache', etag }
    if (isKnown(request.header('if-none-match'), etag)) return { status: 304, headers: kept, body: undefined }
    return { ...answer, headers: { ...kept, ...answer.headers } }
  } catch (error) {
    return encodeFailure(asFailure(error, host, undefined, requestId), headers)
  }
}

/** No credentials of the browser go along, so that a page reads nothing that it could not have asked for by itself. */
const originHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Date, ETag, X-Request-Id',
}

function preflight(headers: Readonly<Record<string, string>>, { method }: AskedBySdk): Record<string, string> {
  return {
    ...headers,
    'access-control-allow-methods': method,
    'access-control-allow-headers': sdkHeaders,
    'access-control-max-age': '600',
  }
}

/** What SDKs in browsers send besides. */
const sdkHeaders = [
  'Content-Type',
  'Content-Encoding',
  'If-None-Match',
  'X-LaunchDarkly-Event-Schema',
  'X-LaunchDarkly-Payload-ID',
  'X-LaunchDarkly-Tags',
  'X-LaunchDarkly-User-Agent',
  'X-LaunchDarkly-Wrapper',
].join(', ')
