/**
 * The one table of errors: code, HTTP status and the message that goes with it (docs/specification.md#errors,
 * docs/decisions/0001-follow-one-set-of-http-conventions.md#d1-error-status).
 */
export const errorTable = {
  invalid_request: { status: 400, message: 'Invalid request body' },
  unauthorized: { status: 401, message: 'Invalid access token' },
  forbidden: { status: 403, message: 'Forbidden. Access to the requested resource was denied.' },
  not_found: { status: 404, message: 'Invalid resource identifier' },
  method_not_allowed: { status: 405, message: 'Method not allowed' },
  optimistic_locking_error: { status: 409, message: 'Conflict. Optimistic lock error. Try again later.' },
  // Scanners of code references tell a scan that was overtaken, which is no failure, from all others by this code.
  updateSequenceId_conflict: {
    status: 409,
    message: 'A scan with this updateSequenceId or a later one is stored already',
  },
  rate_limited: { status: 429, message: "You've exceeded the API rate limit. Try again later." },
  service_unavailable: { status: 503, message: 'Requested service unavailable' },
  internal_error: { status: 500, message: 'An internal error occurred. Try again later.' },
} as const satisfies Record<string, { status: number; message: string }>

/** The codes of the table of errors. */
export type ErrorCode = keyof typeof errorTable

/**
 * Codes that any operation may answer, because a gate gives them and not the handler
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d7-errors-of-every-operation).
 */
export const gateCodes = [
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]

/**
 * One fault of the input: which part, and what is wrong with it
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
 */
export interface Fault {
  /** Parameter name, or dotted path in the body. */
  readonly attribute: string
  readonly reason: string
}

/** What a failure may say beyond its code. */
export interface FailureDetail {
  /** Replaces the code's message; plain, without secrets. */
  readonly message?: string
  /** Faults of the input; the message of `invalid_request` becomes `validation failed`. */
  readonly errors?: readonly Fault[]
  /**
   * Replaces the code's status: 413 and 415 are `invalid_request` too
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d1-error-status).
   */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Why it was refused, where the message does not tell; shown in process and in the log, never on the wire. */
  readonly explanation?: string
  /** What went wrong underneath; for the log only. */
  readonly cause?: unknown
}

/** The body of every error answer. */
export interface ErrorBody {
  readonly code: ErrorCode
  readonly message: string
  /** Every fault of the input, where the code is `invalid_request`. */
  readonly errors?: readonly Fault[]
}

/**
 * An agreed failure of an operation. In process it is what a call rejects with; over a transport it becomes an
 * answer with `status` and `body`.
 *
 * @example
 * ```ts
 * import { ApiError } from '@halyard/core'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * try {
 *   await engine.api.getProject({ projectKey: 'unknown' }, { as: engine.admin })
 * } catch (error) {
 *   if (!(error instanceof ApiError)) throw error
 *   console.log(error.status, error.code) // 404 not_found
 * }
 * ```
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly errors: readonly Fault[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly explanation: string | undefined

  constructor(code: ErrorCode, detail: FailureDetail = {}) {
    const row = errorTable[code]
    super(detail.message ?? (detail.errors && code === 'invalid_request' ? 'validation failed' : row.message), {
      cause: detail.cause,
    })
    this.code = code
    this.status = detail.status ?? row.status
    this.errors = detail.errors
    this.headers = detail.headers ?? {}
    this.explanation = detail.explanation
  }

  get body(): ErrorBody {
    return { code: this.code, message: this.message, ...(this.errors ? { errors: this.errors } : {}) }
  }
}

/** Ends an operation with an agreed failure; accepts only the codes that the operation's card names. */
export type Fail<Code extends ErrorCode> = (code: Code, detail?: FailureDetail) => never

/** Throws the failure; the walk catches it once, at the end. */
export function fail(code: ErrorCode, detail?: FailureDetail): never {
  throw new ApiError(code, detail)
}
