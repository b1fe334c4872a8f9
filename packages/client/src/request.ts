import type { ClientCallOptions, ClientOptions, Input } from './options.ts'
import type { ManifestEntry } from './read-manifest.ts'

/**
 * Makes a request of a call's input.
 *
 * @param content a file, where one is to be sent in place of `body`.
 * @throws TypeError where `as` is no token.
 */
export function requestOf(
  { baseUrl, token, headers: all }: ClientOptions,
  { method, path }: ManifestEntry,
  { body, ...query }: Input,
  { as = token, ifMatch }: ClientCallOptions,
  signal: AbortSignal | undefined,
  content: BodyInit | undefined,
): Request {
  const place = path.replace(/:(\w+)/g, (_, name: string) => {
    const { [name]: value, ...others } = query
    query = others
    // Dots alone would climb out of the path that is meant. The API finds nothing under a control character (D8).
    return encodeURIComponent(typeof value !== 'string' || /^\.{0,2}$/.test(value) ? '\x7f' : value)
  })
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][]
  const credential = typeof as === 'object' && 'token' in as ? as.token : as
  if (typeof credential === 'object') throw new TypeError('as: must be a token')
  const headers = new Headers(all)
  // Every operation takes it, and those in beta want it (D5).
  headers.set('svc-api-version', 'beta')
  // In process the shape of a patch tells what it is; on the wire the media type does (D12).
  const semantic = body && typeof body === 'object' && 'instructions' in body
  const type = content ? 'text/csv' : `application/json${semantic ? '; domain-model=svc.semanticpatch' : ''}`
  headers.set('content-type', type)
  if (credential) headers.set('authorization', credential)
  if (ifMatch) headers.set('if-match', ifMatch)
  return new Request(
    `${new URL(baseUrl).href.replace(/\/*([?#].*)?$/, '')}/api/v2${place}?${new URLSearchParams(pairs)}`,
    {
      method,
      headers,
      signal,
      body: content ?? JSON.stringify(body),
      // A redirect would be followed as a GET, and to another host without the token.
      redirect: 'manual',
      // Streams want it said, and the declarations of `fetch` do not know it.
      ...{ duplex: 'half' },
    },
  )
}
