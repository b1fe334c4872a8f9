/**
 * An error as all test runners show it well: its message, at the line that called `from`.
 *
 * Not called `AssertionError`: jest adds a comparison of values to one of that name, and there are no values here.
 */
export function policyError(message: string, from: (...given: never[]) => unknown): Error {
  const error = new Error(message)
  error.name = 'PolicyError'
  Error.captureStackTrace?.(error, from)
  return error
}
