/** Exit codes of the command, for scripts. */
export const exitCode = {
  /** The command is done. */
  done: 0,
  /** The server refused the request, or the command failed. */
  refused: 1,
  /** The command line is wrong: nothing was sent. */
  usage: 2,
  /** A project differs from its file: the result of `halyard drift`. */
  differs: 2,
  /** A conflict with another change, or a missing approval. */
  conflict: 3,
  /** The server or the storage did not respond; another attempt may succeed. */
  unavailable: 4,
  /** The user interrupted the command. */
  interrupted: 130,
} as const

/**
 * Returns the exit code for the error of an operation.
 *
 * @param error an error of `engine.api` or of a client, or any other.
 */
export function exitCodeOf(error: unknown): number {
  const { name, code, message, exitCode: own } = (error ?? {}) as Readonly<Record<string, unknown>>
  if (typeof own === 'number') return own
  if (code === 'service_unavailable' || code === 'rate_limited' || name === 'NetworkError') return exitCode.unavailable
  if (code === 'optimistic_locking_error' || code === 'updateSequenceId_conflict') return exitCode.conflict
  // A missing approval has the code of every refused method, so only its message distinguishes it.
  if (code === 'method_not_allowed' && /approval/i.test(String(message))) return exitCode.conflict
  return exitCode.refused
}
