/** A failure that the user can do something about: shown as one line, without a stack. */
export interface CliError extends Error {
  readonly cli: true
  /** Whether it tells what became of work that the user interrupted. */
  readonly interrupted?: true
}

/** Makes a failure that ends the command with one clear line and exit code 1. */
export function cliError(message: string, cause?: unknown): CliError {
  return Object.assign(new Error(message, { cause }), { cli: true as const })
}

export function isCliError(error: unknown): error is CliError {
  return error instanceof Error && (error as Partial<CliError>).cli === true
}

/** Makes the failure of a command that the user interrupted, where it says better what is left of its work. */
export function interruption(message: string): CliError {
  return Object.assign(cliError(message), { interrupted: true as const })
}
