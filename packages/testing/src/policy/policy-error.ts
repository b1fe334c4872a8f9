/**
 * Makes an error that test runners display with its message, at the line that called `from`. It is not named
 * `AssertionError`, because jest adds a comparison of values to errors of that name, and these have no values.
 */
export function policyError(message: string, from: (...args: never[]) => unknown): Error {
  const error = new Error(message)
  error.name = 'PolicyError'
  Error.captureStackTrace?.(error, from)
  return error
}
