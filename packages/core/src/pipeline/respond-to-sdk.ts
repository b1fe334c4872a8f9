import type { Host } from '../operation/context.ts'
import type { EngineRequest } from '../operation/engine-request.ts'
import { fail } from '../operation/errors.ts'
import type { LiveResponse } from '../operation/live-response.ts'
import { asFailure, encodeFailure, includesEtag, safeHeaders, setEtag } from './encode.ts'

/** An endpoint for SDKs, for one request. */
export interface SdkEndpoint {
  /** True when pages of all origins may call it. */
  readonly anyOrigin: boolean
  readonly method: string
  /** @throws ApiError when the request is rejected. */
  respond(): Promise<LiveResponse & { readonly etag?: string }>
}

/**
 * Responds to a request of an SDK. The endpoint authenticates it itself. Never rejects: failures become error
 * responses.
 */
export async function respondToSdk(host: Host, request: EngineRequest, endpoint: SdkEndpoint): Promise<LiveResponse> {
  const requestId = host.newId()
  const headers: Record<string, string> = { ...safeHeaders(requestId), ...(endpoint.anyOrigin ? corsHeaders : {}) }
  try {
    if (request.method === 'OPTIONS' && endpoint.anyOrigin)
      return { status: 204, headers: preflightHeaders(headers, endpoint), body: undefined }
    if (request.method !== endpoint.method) fail('method_not_allowed', { headers: { allow: endpoint.method } })
    const { etag, ...response } = await endpoint.respond()
    if (etag !== undefined) setEtag(headers, etag)
    const isNotModified = etag !== undefined && includesEtag(request.header('if-none-match'), etag)
    if (isNotModified) {
      const { 'content-type': _, ...caching } = response.headers
      return { status: 304, headers: { ...headers, ...caching }, body: undefined }
    }
    return { ...response, headers: { ...headers, ...response.headers } }
  } catch (error) {
    return encodeFailure(asFailure(error, host, undefined, requestId), headers)
  }
}

/** The browser sends no credentials with such requests, so a page reads nothing that it could not request itself. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Date, ETag, X-Request-Id',
}

function preflightHeaders(headers: Readonly<Record<string, string>>, { method }: SdkEndpoint): Record<string, string> {
  return {
    ...headers,
    'access-control-allow-methods': method,
    'access-control-allow-headers': sdkHeaders,
    'access-control-max-age': '600',
  }
}

/** Headers that SDKs in browsers send. */
const sdkHeaders = [
  'Authorization',
  'Content-Type',
  'Content-Encoding',
  'If-None-Match',
  'X-API-Key',
  'X-LaunchDarkly-Event-Schema',
  'X-LaunchDarkly-Payload-ID',
  'X-LaunchDarkly-Tags',
  'X-LaunchDarkly-User-Agent',
  'X-LaunchDarkly-Wrapper',
].join(', ')
