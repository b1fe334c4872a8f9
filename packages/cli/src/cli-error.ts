import { exitCode } from './exit-code.ts'

/** An error that the user can fix. It is printed as one line, without a stack trace. */
export interface CliError extends Error {
  readonly cli: true
  /** True when the message states the result of work that the user interrupted. */
  readonly interrupted?: true
  /** Exit code of the process. Default: 1. */
  readonly exitCode?: number
}

/** Makes an error that ends the command with one line and exit code 1. */
export function cliError(message: string, cause?: unknown): CliError {
  return Object.assign(new Error(message, { cause }), { cli: true as const })
}

/** Makes the error of a command line that is wrong: nothing was called. */
export function usageError(message: string, cause?: unknown): CliError {
  return Object.assign(cliError(message, cause), { exitCode: exitCode.usage })
}

export function isCliError(error: unknown): error is CliError {
  return error instanceof Error && (error as Partial<CliError>).cli === true
}

/**
 * Makes the error of a command that the user interrupted, with a message that states what was done and what was not.
 */
export function interruptedError(message: string): CliError {
  return Object.assign(cliError(message), { interrupted: true as const })
}
