import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'
import { type Environment, environments } from './environment.ts'
import { type EnvironmentAnswer, presentEnvironment } from './environment-wire.ts'

/** Gives an environment a new key of one sort; the old one stops working at once. */
export async function replaceKey(
  context: Context<Writer, 'not_found'>,
  keys: { readonly projectKey: string; readonly environmentKey: string },
  key: Pick<Environment, 'apiKey'> | Pick<Environment, 'mobileKey'>,
): Promise<EnvironmentAnswer> {
  const before = (await context.tx.get(environments, keys)) ?? context.fail('not_found')
  const after = context.tx.replace(environments, keys, before, { ...before, ...key })
  return presentEnvironment(context as never, keys.projectKey, after)
}
