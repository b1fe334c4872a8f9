import type { ErrorBody, ErrorCode, Fault } from '@halyard/core'

/**
 * The API's answer that it does not do what was asked. It has every member of the `ApiError` that `engine.api` rejects
 * with, so whoever looks at `code`, `status` or `errors` need not know which of the two it is.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  declare readonly code: ErrorCode
  /** Every fault of the input, where the code is `invalid_request`. */
  declare readonly errors: readonly Fault[] | undefined
  /** Never on the wire. */
  declare readonly explanation: undefined
  /** By which the API's log knows the request. */
  readonly requestId: string | undefined

  /**
   * @param headers by lower-case names; of an answer from another origin a browser shows only what that exposes.
   * @param retryAfter how long the API asks to wait, integer ms from the moment of the answer.
   */
  constructor(
    readonly body: ErrorBody,
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly retryAfter?: number,
  ) {
    super(body.message)
    Object.assign(this, body)
    this.requestId = headers['x-request-id']
  }
}

/**
 * There is no answer of the API: the connection failed or broke off, nothing came in time, or somebody else answered,
 * such as a proxy or a wrong `baseUrl`. Whether the call was done is not known, unless it only reads.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  /**
   * @param status of whoever answered in the API's place.
   * @param cause what the platform's `fetch` said.
   */
  constructor(
    message: string,
    readonly status?: number,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}
