import { fail } from '../../operation/errors.ts'
import type { ExpiryError } from '../../rules/expiring-targets/expiring-targets.ts'
import type { ExpiryInstruction } from './expiring-target-request.ts'

/**
 * Rejects the request when instructions about expiring targets cannot be applied.
 *
 * @throws ApiError `invalid_request` that names each instruction that cannot be applied; `optimistic_locking_error`
 *   when only versions do not match, for each date whose version has changed.
 */
export function refuseExpiryErrors(
  expiryErrors: readonly ExpiryError[],
  instructions: readonly ExpiryInstruction[],
): void {
  const toError = (error: ExpiryError) => ({
    attribute: `instructions.${error.index}.${faultyProperty(error, instructions[error.index] as ExpiryInstruction)}`,
    reason: error.reason,
  })
  const invalid = expiryErrors.filter(({ attribute }) => attribute !== 'version')
  if (invalid.length > 0) fail('invalid_request', { errors: invalid.map(toError) })
  if (expiryErrors.length > 0) fail('optimistic_locking_error', { errors: expiryErrors.map(toError) })
}

/** Returns the property of an instruction that an error is about. */
function faultyProperty({ attribute }: ExpiryError, { userKey }: ExpiryInstruction): string {
  if (attribute === 'expiresAt') return 'value'
  return attribute === 'contextKey' && userKey !== undefined ? 'userKey' : attribute
}
