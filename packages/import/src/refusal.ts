import type { ApiError } from '@halyard/core'

/** A flag or segment that the engine refused. */
export interface Refusal {
  /** `flag` or `segment`, and its key. */
  readonly what: string
  readonly why: string
}

const refusalCodes: ReadonlySet<string> = new Set([
  'invalid_request',
  'method_not_allowed',
  'forbidden',
  'optimistic_locking_error',
])

/**
 * Returns the reason why a flag or segment was not written, for users.
 *
 * @throws the error itself when it does not concern only this flag or segment.
 */
export function refusalReason(error: unknown): string {
  const { code, errors, message } = error as Partial<ApiError>
  if (!refusalCodes.has(code ?? '')) throw error
  const details = (errors ?? []).map(({ attribute, reason }) => `${attribute} ${reason}`).join(', ')
  return details || String(message)
}
