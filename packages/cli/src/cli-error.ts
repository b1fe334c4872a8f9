/** A failure that the user can do something about: shown as one line, without a stack. */
export interface CliError extends Error {
  readonly cli: true
}

/** Makes a failure that ends the command with one clear line and exit code 1. */
export function cliError(message: string, cause?: unknown): CliError {
  return Object.assign(new Error(message, { cause }), { cli: true as const })
}

export function isCliError(error: unknown): error is CliError {
  return error instanceof Error && (error as Partial<CliError>).cli === true
}
