import { fail } from '../../operation/errors.ts'

/**
 * Rejects a semantic patch that names an unknown environment, or no environment although an instruction needs one.
 *
 * @param environments the environments of the project, by key.
 * @param instructionKind kind of an instruction that changes one environment; undefined when the patch has no such
 *   instruction.
 */
export function requireEnvironment(
  environments: Pick<ReadonlyMap<string, unknown>, 'has'>,
  instructionKind: string | undefined,
  environmentKey: string | undefined,
): void {
  const missing = environmentKey === undefined && instructionKind ? `must be present for ${instructionKind}` : undefined
  const unknown = environmentKey !== undefined && !environments.has(environmentKey)
  const reason = unknown ? 'must be the key of an environment of the project' : missing
  if (reason !== undefined) fail('invalid_request', { errors: [{ attribute: 'environmentKey', reason }] })
}
