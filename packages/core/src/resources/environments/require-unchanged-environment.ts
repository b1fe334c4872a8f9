import { type Environment, environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { Fail } from '../../operation/errors.ts'

/**
 * Returns the environment to which data is written. Fails with 404 when it does not exist; the commit fails when
 * another call changes or deletes it concurrently.
 */
export async function requireUnchangedEnvironment(
  { tx, fail }: Pick<WriteContext, 'tx'> & { readonly fail: Fail<'not_found'> },
  { projectKey, environmentKey }: EnvironmentKeys,
): Promise<Environment> {
  const keys = { projectKey, environmentKey }
  const environment = (await tx.get(environments, keys)) ?? fail('not_found')
  tx.expect(environments, keys, environment)
  return environment
}
