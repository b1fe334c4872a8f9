import { fail } from '../../operation/errors.ts'

/**
 * Refuses a semantic patch that names an environment which is not there, or none where an instruction needs one.
 *
 * @param known the environments of the project, by key.
 * @param asking kind of an instruction that is followed in an environment, if there is any.
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
