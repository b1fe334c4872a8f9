import type { ErrorBody, ErrorCode, Fault } from '@halyard/core'

/** What an answer says beside its body. */
export interface AnswerDetail {
  readonly status: number
  /** By lower-case names; of an answer from another origin a browser shows only what that exposes. */
  readonly headers: Readonly<Record<string, string>>
  /** How long the API asks to wait, integer ms from the moment of the answer. */
  readonly retryAfter: number | undefined
  /** By which the API's log knows the request. */
  readonly requestId: string | undefined
}

/**
 * The API's answer that it does not do what was asked. It has every member of the `ApiError` that `engine.api` rejects
 * with, so whoever looks at `code`, `status` or `errors` need not know which of the two it is.
 *
 * @example
 * ```ts
 * import { ApiError, createClient } from '@halyard/client'
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const engine = await createTestEngine()
 * const baseUrl = 'https://flags.example.com'
 * const client = createClient({ baseUrl, token: engine.admin, fetch: createFetchHandler(engine) })
 * try {
 *   await client.api.getProject({ projectKey: 'unknown' })
 * } catch (error) {
 *   if (!(error instanceof ApiError)) throw error
 *   console.log(error.status, error.code) // 404 not_found
 * }
 * ```
 */
export class ApiError extends Error implements AnswerDetail {
  declare readonly name: 'ApiError'
  declare readonly code: ErrorCode
  /** Every fault of the input, where the code is `invalid_request`. */
  declare readonly errors: readonly Fault[] | undefined
  declare readonly body: ErrorBody
  declare readonly status: number
  declare readonly headers: Readonly<Record<string, string>>
  declare readonly retryAfter: number | undefined
  declare readonly requestId: string | undefined
  /** Never on the wire. */
  declare readonly explanation: undefined

  constructor(body: ErrorBody, detail: AnswerDetail) {
    super(body.message)
    Object.assign(this, body, detail, { name: 'ApiError', body })
  }
}

/**
 * There is no answer of the API: the connection failed or broke off, nothing came in time, or somebody else answered,
 * such as a proxy or a wrong `baseUrl`. Whether the call was done is not known, unless it only reads.
 *
 * @example
 * ```ts
 * import { createClient, NetworkError } from '@halyard/client'
 *
 * const fetch = () => Promise.reject(new TypeError('fetch failed'))
 * const client = createClient({ baseUrl: 'https://flags.example.com', token: 'token', fetch, retries: 0 })
 * try {
 *   await client.api.listProjects()
 * } catch (error) {
 *   console.log(error instanceof NetworkError) // true
 * }
 * ```
 */
export class NetworkError extends Error {
  declare readonly name: 'NetworkError'
  /** Of whoever answered in the API's place. */
  declare readonly status: number | undefined

  /** @param cause what the platform's `fetch` said, or nothing where there was an answer of this status. */
  constructor(cause: unknown, status?: number) {
    super(status ? `${status} is no answer of the API` : 'there is no answer', { cause })
    Object.assign(this, { name: 'NetworkError', status })
  }
}
