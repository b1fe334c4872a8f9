/** The error of an import whose signal was aborted. Its message says what was written until then. */
export interface Interruption extends Error {
  readonly interrupted: true
}

/** Returns the error with which an aborted import rejects. */
export function interruption(message: string): Interruption {
  return Object.assign(new Error(message), { interrupted: true as const })
}

/** Returns true for the error with which an aborted import rejects. */
export function isInterruption(error: unknown): error is Interruption {
  return error instanceof Error && (error as Partial<Interruption>).interrupted === true
}
