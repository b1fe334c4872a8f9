import { callOperation } from './call.ts'
import { manifest } from './manifest.ts'
import { type ClientApi, type ClientCallOptions, type ClientOptions, type Input, resolveOptions } from './options.ts'
import { readManifest } from './read-manifest.ts'

/** A client of one API, as `createClient` returns it. */
export interface Client {
  /** The operations. Each resolves with the body of the response, and rejects with `ApiError` or `NetworkError`. */
  readonly api: ClientApi
}

/**
 * Creates a client of an API that another process serves, with the signatures of `engine.api`. It runs wherever `fetch`
 * exists: Node 20, Deno, Bun, workerd and browsers. It sends nothing until an operation is called.
 *
 * The client retries requests that the API rejected before processing: 429 always, 503 when the response has
 * `Retry-After`. Idempotent calls (GET, PUT, DELETE) are also retried after any other 503, after 502 and 504, and when
 * there is no response. Between two attempts it waits for the time that the API requests, plus a random part of 250 ms,
 * which doubles with each attempt up to 10 s.
 *
 * @param options the address of the API, the access token, and the limits of retries.
 * @throws TypeError when `baseUrl` is not absolute.
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
  const settings = resolveOptions(options)
  const api: Record<string, (input?: Input, call?: ClientCallOptions) => Promise<unknown>> = {}
  for (const operation of readManifest(manifest)) {
    api[operation.id] = (input = {}, call = {}) => callOperation(settings, operation, input, call)
  }
  // Cast: the functions are created in a loop, which the compiler cannot match with the types of the operations.
  return { api: api as unknown as ClientApi }
}
