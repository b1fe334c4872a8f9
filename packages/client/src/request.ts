import type { ClientCallOptions, ClientOptions, Input } from './options.ts'
import type { ManifestEntry } from './read-manifest.ts'

/** Makes the request of one attempt: a request can be sent only once. `file` is sent in place of the call's body. */
export type RequestMaker = (signal: AbortSignal | undefined, file: BodyInit | undefined) => Request

/**
 * Makes requests of a call's input.
 *
 * @throws TypeError where `as` is no token.
 */
export function requestMaker(
  { baseUrl, token, headers: all }: ClientOptions,
  { method, path, file }: ManifestEntry,
  { body, ...query }: Input,
  { as = token, ifMatch }: ClientCallOptions,
): RequestMaker {
  const place = path.replace(/:(\w+)/g, (_, name: string) => {
    const { [name]: value, ...others } = query
    query = others
    // Dots alone would climb out of the path that is meant. The API finds nothing under a control character (D8).
    return encodeURIComponent(typeof value !== 'string' || /^\.{0,2}$/.test(value) ? '\x7f' : value)
  })
  const given = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][]
  const credential = typeof as === 'object' && 'token' in as ? as.token : as
  if (typeof credential === 'object') throw new TypeError('as: must be a token')
  // In process the shape of a patch tells what it is; on the wire the media type does (D12).
  const semantic = typeof body === 'object' && body && 'instructions' in body
  const headers = new Headers(all)
  headers.set(
    'content-type',
    file ? 'text/csv' : `application/json${semantic ? ';domain-model=svc.semanticpatch' : ''}`,
  )
  // Every operation takes it, and those in beta want it (D5).
  headers.set('svc-api-version', 'beta')
  if (credential) headers.set('authorization', credential)
  if (ifMatch) headers.set('if-match', ifMatch)
  return (signal, content) =>
    new Request(`${baseUrl}/api/v2${place}?${new URLSearchParams(given)}`, {
      method,
      headers,
      signal,
      body: content ?? JSON.stringify(body),
      // A redirect would be followed as a GET, and to another host without the token.
      redirect: 'manual',
      // Streams want it said, and the declarations of `fetch` do not know it.
      ...{ duplex: 'half' },
    })
}
