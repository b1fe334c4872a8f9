import type { UploadInput } from '@halyard/core/operations'
import { requestBody } from './files.ts'
import type { ClientCallOptions, ClientSettings, Input } from './options.ts'
import type { OperationEntry } from './read-manifest.ts'
import { requestUrl } from './url.ts'

/** A request of a call; each attempt sends it. */
export interface PreparedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: UploadInput['file'] | undefined
  readonly file: OperationEntry['file']
}

/**
 * Builds the request of a call.
 *
 * @throws TypeError when `as` is not an access token.
 */
export function prepareRequest(
  { baseUrl, token, headers }: ClientSettings,
  { method, path, file }: OperationEntry,
  { body, ...parameters }: Input,
  { as = token, ifMatch }: ClientCallOptions,
): PreparedRequest {
  const isUpload = file === 'upload'
  // The fields of an upload are query parameters.
  const { file: content, ...fields } = (isUpload && body ? body : {}) as Partial<UploadInput>
  return {
    method,
    url: requestUrl(baseUrl, path, { ...parameters, ...fields }),
    headers: requestHeaders(headers, as, ifMatch, isUpload ? 'text/csv' : jsonType(body)),
    body: isUpload ? content : JSON.stringify(body),
    file,
  }
}

/** Creates the request that one attempt sends. */
export async function createRequest(
  { method, url, headers, body }: PreparedRequest,
  signal: AbortSignal | undefined,
): Promise<Request> {
  return new Request(url, {
    method,
    headers,
    signal,
    body: body === undefined ? undefined : await requestBody(body),
    // fetch would follow a redirect as a GET, and to another host without the token.
    redirect: 'manual',
    // `fetch` requires this property for a stream. The type declarations of the DOM lack it.
    ...{ duplex: 'half' },
  })
}

/** Returns the media type of a JSON body. It is how the API distinguishes a semantic patch from a JSON Patch. */
function jsonType(body: unknown): string {
  const isSemanticPatch = typeof body === 'object' && body !== null && 'instructions' in body
  return isSemanticPatch ? 'application/json;domain-model=svc.semanticpatch' : 'application/json'
}

function requestHeaders(
  fixed: ClientSettings['headers'],
  as: ClientCallOptions['as'],
  ifMatch: string | undefined,
  contentType: string,
): Headers {
  const headers = new Headers(fixed)
  headers.set('content-type', contentType)
  // Operations in beta require this version, and all others accept it.
  headers.set('svc-api-version', 'beta')
  const token = tokenOf(as)
  if (token) headers.set('authorization', token)
  if (ifMatch) headers.set('if-match', ifMatch)
  return headers
}

function tokenOf(as: ClientCallOptions['as']): string | undefined {
  const token = (as as { readonly token?: string } | undefined)?.token ?? as
  if (typeof token === 'object') throw new TypeError('`as` must be an access token')
  return token
}
