import { fail } from '../../operation/errors.ts'

/**
 * Rejects a semantic patch that names an unknown environment, or no environment although an instruction needs one.
 *
 * @param environments the environments of the project, by key.
 * @param instructionKind kind of an instruction that changes one environment; undefined when the patch has none.
 */
export function requireEnvironment(
  known: Pick<ReadonlyMap<string, unknown>, 'has'>,
  asking: string | undefined,
  environmentKey: string | undefined,
): void {
  const missing = environmentKey === undefined && asking ? `must be present for ${asking}` : undefined
  const unknown = environmentKey !== undefined && !known.has(environmentKey)
  const reason = unknown ? 'must be the key of an environment of the project' : missing
  if (reason !== undefined) fail('invalid_request', { errors: [{ attribute: 'environmentKey', reason }] })
}
