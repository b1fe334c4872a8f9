/**
 * The table of all errors: code, HTTP status and default message (docs/specification.md#errors,
 * docs/decisions/0001-follow-one-set-of-http-conventions.md#d1-error-status).
 */
export const errorTable = {
  invalid_request: { status: 400, message: 'Invalid request body' },
  unauthorized: { status: 401, message: 'Invalid access token' },
  forbidden: { status: 403, message: 'Forbidden. Access to the requested resource was denied.' },
  not_found: { status: 404, message: 'Invalid resource identifier' },
  method_not_allowed: { status: 405, message: 'Method not allowed' },
  optimistic_locking_error: { status: 409, message: 'Conflict. Optimistic lock error. Try again later.' },
  // Scanners of code references do not report a failure for this code: it means that a later scan was stored first.
  updateSequenceId_conflict: {
    status: 409,
    message: 'A scan with this updateSequenceId or a later one is stored already',
  },
  rate_limited: { status: 429, message: "You've exceeded the API rate limit. Try again later." },
  not_implemented: { status: 501, message: 'This operation of the reference API is not served' },
  service_unavailable: { status: 503, message: 'Requested service unavailable' },
  internal_error: { status: 500, message: 'An internal error occurred. Try again later.' },
} as const satisfies Record<string, { status: number; message: string }>

/** The codes of the error table. */
export type ErrorCode = keyof typeof errorTable

/**
 * Codes that any operation may respond with, because the pipeline's checks before the handler use them
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d7-errors-of-every-operation).
 */
export const pipelineErrorCodes = [
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]

/**
 * One validation error: the invalid part of the input, and the reason
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
 */
export interface ValidationError {
  /** Name of a parameter, or dotted path of a property in the body. */
  readonly attribute: string
  readonly reason: string
}

/**
 * A part of a resource that a change would have overwritten although another caller changed it concurrently
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch). A value is missing where the part does
 * not exist, and all three are missing when they are secret.
 */
export interface ChangeConflict {
  /**
   * Address of the resource, for the merge of a branch, which can change several resources. Default: the address of the
   * call.
   */
  readonly resource?: string
  /** JSON Pointer of the part in the response for the resource, e.g. `/environments/production/on`. */
  readonly path: string
  /** The value before both changes. */
  readonly base?: unknown
  /** The value that the rejected change would have stored. */
  readonly yours?: unknown
  /** The value that the other change has stored. */
  readonly theirs?: unknown
}

/** A resource that refers to one that cannot be deleted. */
export interface Referrer {
  /** Kind of resource, e.g. `token`. */
  readonly kind: string
  /** Key or id that identifies the resource among all resources of its kind, e.g. `checkout`. */
  readonly key: string
  /** Resource specifier, e.g. `proj/web:env/production:flag/checkout`. */
  readonly resource: string
}

/** Optional details of a failure. */
export interface FailureDetail {
  /** Replaces the default message of the code; one plain sentence without secrets. */
  readonly message?: string
  /** Validation errors of the input; the message of `invalid_request` becomes `validation failed`. */
  readonly errors?: readonly ValidationError[]
  /** The parts that a concurrent change has changed too. */
  readonly conflicts?: readonly ChangeConflict[]
  /** The resources that prevent a deletion, limited to resources that the caller may view. */
  readonly referrers?: readonly Referrer[]
  /**
   * Replaces the status of the code: 413 and 415 also have the code `invalid_request`
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d1-error-status).
   */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Reason of the refusal when the message does not contain it. It appears in process and in the log, never in a
   * response.
   */
  readonly explanation?: string
  /** The underlying error, for the log only. */
  readonly cause?: unknown
}

/** The body of every error response. */
export interface ErrorBody {
  readonly code: ErrorCode
  readonly message: string
  /** All validation errors of the input, when the code is `invalid_request`. */
  readonly errors?: readonly ValidationError[]
  /**
   * The parts that a concurrent change has changed too, when the code is `optimistic_locking_error` and the change was
   * not rejected for another reason.
   */
  readonly conflicts?: readonly ChangeConflict[]
  /**
   * The first 100 resources that prevented the deletion because they refer to the resource. Contains only resources
   * that the caller may view.
   */
  readonly referrers?: readonly Referrer[]
}

/**
 * A declared failure of an operation. A call in process rejects with it; over a transport it becomes a response with
 * `status` and `body`. Its message is the message of the body, followed by the first validation error, e.g. `validation
 * failed: body.key must match …`.
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
  readonly errors: readonly ValidationError[] | undefined
  /** The parts that a concurrent change has changed too, when that is the reason of the failure. */
  readonly conflicts: readonly ChangeConflict[] | undefined
  readonly referrers: readonly Referrer[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly explanation: string | undefined
  readonly body: ErrorBody

  constructor(code: ErrorCode, detail: FailureDetail = {}) {
    const defaults = errorTable[code]
    const message =
      detail.message ?? (detail.errors && code === 'invalid_request' ? 'validation failed' : defaults.message)
    super(withFirstError(message, detail.errors), { cause: detail.cause })
    const { errors, conflicts, referrers } = detail
    this.body = {
      code,
      message,
      ...(errors ? { errors } : {}),
      ...(conflicts ? { conflicts } : {}),
      ...(referrers ? { referrers } : {}),
    }
    this.code = code
    this.status = detail.status ?? defaults.status
    this.errors = errors
    this.conflicts = conflicts
    this.referrers = referrers
    this.headers = detail.headers ?? {}
    this.explanation = detail.explanation
  }
}

/** Adds the first validation error to a message, with the number of further ones. */
function withFirstError(message: string, errors: readonly ValidationError[] = []): string {
  const [first, ...others] = errors
  if (!first) return message
  const further = others.length > 0 ? ` (and ${others.length} more)` : ''
  return `${message}: ${`${first.attribute} ${first.reason}`.trim()}${further}`
}

/** Ends an operation with a failure. Accepts only the codes that the operation declares. */
export type Fail<Code extends ErrorCode> = (code: Code, detail?: FailureDetail) => never

/** Throws an `ApiError`, which the pipeline catches and turns into an error response. */
export function fail(code: ErrorCode, detail?: FailureDetail): never {
  throw new ApiError(code, detail)
}

/**
 * Throws the `ApiError` of an invalid part of a request.
 *
 * @param attribute name or path of the part, e.g. `instructions.0.value`.
 * @param reason rest of the sentence, e.g. `must be at most 100`.
 */
export function refuse(attribute: string, reason: string): never {
  return fail('invalid_request', { errors: [{ attribute, reason }] })
}
