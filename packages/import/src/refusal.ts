import type { ApiError } from '@halyard/core'

/** Something that the engine did not take. */
export interface Refusal {
  /** `flag` or `segment`, and its key. */
  readonly what: string
  readonly why: string
}

const refusals: ReadonlySet<string> = new Set([
  'invalid_request',
  'method_not_allowed',
  'forbidden',
  'optimistic_locking_error',
])

/**
 * Why something was not written, in words for people.
 *
 * @throws the error itself where it is about more than this one thing.
 */
export function whyRefused(error: unknown): string {
  const { code, errors, message } = error as Partial<ApiError>
  if (!refusals.has(code ?? '')) throw error
  const details = (errors ?? []).map(({ attribute, reason }) => `${attribute} ${reason}`).join(', ')
  return details || String(message)
}
