import type { UploadInput } from '@halyard/core/operations'
import { readAnswer } from './answer.ts'
import { ApiError, NetworkError } from './errors.ts'
import { limited } from './limited.ts'
import { manifest } from './manifest.ts'
import type { ClientApi, ClientCallOptions, ClientOptions, Input } from './options.ts'
import { readManifest } from './read-manifest.ts'
import { placeOf } from './request.ts'

/** A client of one API, as `createClient` makes it. */
export interface Client {
  /** The operations. Each resolves with the answer's body, and rejects with `ApiError` or `NetworkError`. */
  readonly api: ClientApi
}

/**
 * Makes a client of an API that is served elsewhere, with the signatures of `engine.api`. It runs wherever there is
 * `fetch`: Node 20, Deno, Bun, workerd and browsers. Nothing is sent until an operation is called.
 *
 * What is turned away before it is begun is sent again: 429 always, 503 where it says when to come back. So is what was
 * perhaps begun, if doing it twice is as good as once (GET, PUT, DELETE): any 503, and where no answer of the API came.
 * Waits are what the API asks for, and a random part of 250 ms, doubled each time up to 10 s.
 *
 * @param options where the API is, whose token goes along, and how patient the client is.
 * @throws TypeError for a `baseUrl` that is not absolute.
 *
 * @example
 * ```ts
 * import { createClient } from '@halyard/client'
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const engine = await createTestEngine()
 * const client = createClient({
 *   baseUrl: 'https://flags.example.com',
 *   token: engine.admin,
 *   fetch: createFetchHandler(engine), // default: the fetch of the platform
 * })
 * const project = await client.api.createProject({ body: { key: 'web', name: 'Web shop' } })
 * console.log(project.name) // Web shop
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const { token, headers: always, fetch: given, retries = 3, budget = 60_000, timeout = 30_000 } = options
  const { now = Date.now, random = Math.random } = options
  const root = new URL(options.baseUrl).href.replace(/\/*([?#].*)?$/, '/api/v2')
  const api: Record<string, (input?: Input, call?: ClientCallOptions) => Promise<unknown>> = {}
  // One function of all steps: handing on what they know of each other would take more bytes than the steps.
  readManifest(manifest, (id, method, path, file) => {
    api[id] = async ({ body, ...input } = {}, { as = token, ifMatch, signal } = {}) => {
      const credential = (as as { readonly token?: string } | undefined)?.token ?? as
      if (typeof credential === 'object') throw new TypeError('as: must be a token')
      // Two operations of all need what is in there.
      const files = (file && (await import('./files.ts'))) as typeof import('./files.ts')
      const { file: content, ...fields } = Object(file && body) as Partial<UploadInput>
      const url = root + placeOf(path, { ...input, ...fields })
      const headers = new Headers(always)
      // In process the shape of a patch tells what it is; on the wire the media type does (D12).
      const semantic = 'instructions' in Object(body) ? ';domain-model=svc.semanticpatch' : ''
      headers.set('content-type', file ? 'text/csv' : `application/json${semantic}`)
      // Every operation takes it, and those in beta want it (D5).
      headers.set('svc-api-version', 'beta')
      if (credential) headers.set('authorization', credential)
      if (ifMatch) headers.set('if-match', ifMatch)
      const end = now() + budget
      for (let sent = 0; ; sent++) {
        try {
          signal?.throwIfAborted()
          return await limited(content ? Infinity : Math.min(timeout, end - now()), signal, async (limit) => {
            const request = new Request(url, {
              method,
              headers,
              // A file in the answer is on its way for longer than this.
              signal: file ? signal : limit,
              body: content ? await files.bodyOf(content) : JSON.stringify(body),
              // A redirect would be followed as a GET, and to another host without the token.
              redirect: 'manual',
              // Streams want it said, and the declarations of `fetch` do not know it.
              ...{ duplex: 'half' },
            })
            const response = await (given ?? fetch)(request)
            return files && response.ok && !content
              ? files.piecesOf(response, signal, lost)
              : readAnswer(response, now())
          })
        } catch (cause) {
          signal?.throwIfAborted()
          const error = cause instanceof ApiError || cause instanceof NetworkError ? cause : lost(cause)
          const { status, retryAfter } = error as ApiError
          const passing =
            status === 429 ||
            (status === 503 && retryAfter !== undefined) ||
            // Doing it twice is as good as once (RFC 9110, 9.2.2): GET, PUT and DELETE.
            ((!status || status > 501) && /[GUD]/.test(method))
          const wait = (retryAfter ?? 0) + random() * Math.min(10_000, 250 * 2 ** sent)
          // A stream can be read only once, and whoever has no time to wait is told at once.
          if (!passing || sent >= retries || typeof content === 'object' || now() + wait >= end) throw error
          // A wait is work that does nothing until its time is up; whether it was ended is looked at above.
          await limited(wait, signal, () => new Promise(() => {})).catch(() => {})
        }
      }
    }
  })
  return { api: api as unknown as ClientApi }
}

function lost(cause: unknown): NetworkError {
  return new NetworkError(cause)
}
