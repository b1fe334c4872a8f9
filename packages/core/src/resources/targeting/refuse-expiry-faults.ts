import { fail } from '../../operation/errors.ts'
import type { ExpiryFault } from '../../rules/expiring-targets/expiring-targets.ts'
import type { ExpiryInstruction } from './expiring-target-request-wire.ts'

/**
 * Rejects the request when instructions about expiring targets cannot be applied.
 *
 * @throws ApiError `invalid_request` that names each instruction that cannot be applied; `optimistic_locking_error`
 *   when only versions do not match, for each date whose version has changed.
 */
export function refuseExpiryFaults(faults: readonly ExpiryFault[], instructions: readonly ExpiryInstruction[]): void {
  const told = (fault: ExpiryFault) => ({
    attribute: `instructions.${fault.index}.${faultyMember(fault, instructions[fault.index] as ExpiryInstruction)}`,
    reason: fault.reason,
  })
  const wrong = faults.filter(({ attribute }) => attribute !== 'version')
  if (wrong.length > 0) fail('invalid_request', { errors: wrong.map(told) })
  if (faults.length > 0) fail('optimistic_locking_error', { errors: faults.map(told) })
}

/** Returns the property of an instruction that an error is about. */
function faultyMember({ attribute }: ExpiryFault, { userKey }: ExpiryInstruction): string {
  if (attribute === 'expiresAt') return 'value'
  return attribute === 'contextKey' && userKey !== undefined ? 'userKey' : attribute
}
