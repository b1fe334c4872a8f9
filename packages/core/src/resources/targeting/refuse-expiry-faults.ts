import { fail } from '../../operation/errors.ts'
import type { ExpiryFault } from '../../rules/expiring-targets/expiring-targets.ts'
import type { ExpiryInstruction } from './expiring-target-request-wire.ts'

/**
 * Ends an operation where instructions about targets that expire cannot be followed.
 *
 * @throws ApiError `invalid_request` naming each instruction that cannot be followed; `optimistic_locking_error` where
 *   all that is wrong are versions, for each date whose version is another one by now.
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

/** The member of an instruction that a fault is about. */
function faultyMember({ attribute }: ExpiryFault, { userKey }: ExpiryInstruction): string {
  if (attribute === 'expiresAt') return 'value'
  return attribute === 'contextKey' && userKey !== undefined ? 'userKey' : attribute
}
