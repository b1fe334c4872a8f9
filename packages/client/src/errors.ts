import type { ChangeConflict, ErrorBody, ErrorCode, Referrer, ValidationError } from '@halyard/core'

/** Properties of an error response in addition to its body. */
export interface ErrorResponseDetails {
  readonly status: number
  /** Headers by lower-case names. In a browser, a response from another origin shows only its exposed headers. */
  readonly headers: Readonly<Record<string, string>>
  /** Delay that the API requests before the next attempt, integer ms from the time of the response. */
  readonly retryAfter: number | undefined
  /** Id of the request in the log of the API. */
  readonly requestId: string | undefined
}

/**
 * An error response of the API. It has every property of the `ApiError` that `engine.api` rejects with, so code that
 * reads `code`, `status` or `errors` works with both.
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
export class ApiError extends Error implements ErrorResponseDetails {
  declare readonly name: 'ApiError'
  declare readonly code: ErrorCode
  /** All validation errors of the input, when the code is `invalid_request`. */
  declare readonly errors: readonly ValidationError[] | undefined
  /** The parts that a concurrent change also changed, when this is the reason of the failure. */
  declare readonly conflicts: readonly ChangeConflict[] | undefined
  /** The first 100 resources that prevented the deletion because they refer to the resource. */
  declare readonly referrers: readonly Referrer[] | undefined
  declare readonly body: ErrorBody
  declare readonly status: number
  declare readonly headers: Readonly<Record<string, string>>
  declare readonly retryAfter: number | undefined
  declare readonly requestId: string | undefined
  /** Always undefined: responses do not contain it. */
  declare readonly explanation: undefined

  constructor(body: ErrorBody, details: ErrorResponseDetails) {
    super()
    const { message, errors: [first, ...others] = [] } = body
    const further = others.length ? ` (and ${others.length} more)` : ''
    const firstError = first ? `: ${`${first.attribute} ${first.reason}`.trim()}${further}` : ''
    Object.assign(this, body, details, { name: 'ApiError', body, message: message + firstError })
  }
}

/**
 * The error of a call to which the API did not respond: the connection failed, the timeout ended, or another server
 * responded, such as a proxy or the server at a wrong `baseUrl`. Whether a change was made is unknown.
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
  /** Status of the response of the other server; undefined without a response. */
  declare readonly status: number | undefined
  /** Always undefined, because only a response of the API has this property. */
  declare readonly retryAfter: undefined

  /** @param cause the error of `fetch`; undefined when another server responded. */
  constructor(cause: unknown, status?: number) {
    super(status ? `response ${status} is not from the API` : 'no response from the API', { cause })
    Object.assign(this, { name: 'NetworkError', status })
  }
}
