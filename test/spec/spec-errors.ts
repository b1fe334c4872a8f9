/**
 * The Errors table of docs/specification.md, with the status of each code
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d1-error-status).
 */
export const specErrors = {
  invalid_request: { status: 400, message: 'Invalid request body' },
  unauthorized: { status: 401, message: 'Invalid access token' },
  forbidden: { status: 403, message: 'Forbidden. Access to the requested resource was denied.' },
  not_found: { status: 404, message: 'Invalid resource identifier' },
  method_not_allowed: { status: 405, message: 'Method not allowed' },
  optimistic_locking_error: { status: 409, message: 'Conflict. Optimistic lock error. Try again later.' },
  rate_limited: { status: 429, message: "You've exceeded the API rate limit. Try again later." },
  service_unavailable: { status: 503, message: 'Requested service unavailable' },
} as const

export type SpecError = keyof typeof specErrors
