import type { UploadInput } from '@halyard/core'
import { readAnswer } from './answer.ts'
import { ApiError, NetworkError } from './errors.ts'
import { limited } from './limited.ts'
import { manifest } from './manifest.ts'
import type { ClientApi, ClientCallOptions, ClientOptions, Input } from './options.ts'
import { type ManifestEntry, readManifest } from './read-manifest.ts'
import { requestMaker } from './request.ts'

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
 */
export function createClient(options: ClientOptions): Client {
  const baseUrl = new URL(options.baseUrl).href.replace(/\/*([?#].*)?$/, '')
  const calls = readManifest(manifest).map((entry) => [
    entry.id,
    (input: Input = {}, call: ClientCallOptions = {}) => send({ ...options, baseUrl }, entry, input, call),
  ])
  return { api: Object.fromEntries(calls) as ClientApi }
}

async function send(options: ClientOptions, entry: ManifestEntry, input: Input, call: ClientCallOptions) {
  const { retries = 3, budget = 60_000, timeout = 30_000, now = Date.now, random = Math.random } = options
  const { method, file } = entry
  const { signal } = call
  // Two operations of all need what is in there.
  const files = file && (await import('./files.ts'))
  const { file: content, ...fields } = ((file === 'sent' && input.body) || {}) as Partial<UploadInput>
  const makeRequest = requestMaker(options, entry, { ...input, ...fields }, call)
  const end = now() + budget
  for (let sent = 0; ; sent++) {
    try {
      signal?.throwIfAborted()
      return await limited(content ? Infinity : Math.min(timeout, end - now()), signal, async (limit) => {
        const fetching = options.fetch ?? fetch
        // A file in the answer is on its way for longer than this.
        const response = await fetching(makeRequest(file ? signal : limit, content && (await files?.bodyOf(content))))
        return files && response.ok && !content ? files.piecesOf(response, signal, lost) : readAnswer(response, now())
      })
    } catch (cause) {
      signal?.throwIfAborted()
      const error = cause instanceof ApiError || cause instanceof NetworkError ? cause : lost(cause)
      const { status, retryAfter } = error as ApiError
      const passing =
        status === 429 ||
        (status === 503 && retryAfter !== undefined) ||
        // Doing it twice is as good as once (RFC 9110, 9.2.2).
        ((!status || status > 501) && method !== 'POST' && method !== 'PATCH')
      const wait = (retryAfter ?? 0) + random() * Math.min(10_000, 250 * 2 ** sent)
      // A stream can be read only once, and whoever has no time to wait is told at once.
      if (!passing || sent >= retries || typeof content === 'object' || now() + wait >= end) throw error
      // A wait is work that does nothing until its time is up.
      await limited(wait, signal, () => new Promise(() => {})).catch(() => signal?.throwIfAborted())
    }
  }
}

function lost(cause: unknown): NetworkError {
  return new NetworkError(cause)
}
