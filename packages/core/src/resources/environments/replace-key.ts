import { type Environment, environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'
import { type EnvironmentResponse, serializeEnvironment } from './environment-schema.ts'

/** Replaces one key of an environment. */
export async function replaceKey(
  context: Context<Writer, 'not_found'>,
  keys: EnvironmentKeys,
  withNewKey: (before: Environment) => Environment,
): Promise<EnvironmentResponse> {
  const before = (await context.tx.get(environments, keys)) ?? context.fail('not_found')
  const after = context.tx.replace(environments, keys, before, withNewKey(before))
  return serializeEnvironment(context, keys.projectKey, after)
}
