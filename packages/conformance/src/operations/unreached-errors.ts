import type { ErrorCode } from '@halyard/core'

/**
 * Errors that a card declares and that no derived call reaches, each with the reason. Whatever stands here and is
 * reached after all fails the run, so that the list stays short and true.
 */
export const unreachedErrors: Readonly<Record<string, Partial<Record<ErrorCode, string>>>> = {
  generateTrustPolicy: { invalid_request: 'the engines under examination have the option that it asks for' },
}
