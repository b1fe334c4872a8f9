import type { WriteContext } from '../../operation/context.ts'
import { type Environment, environments } from '../environments/environment.ts'
import { requireComment } from '../environments/require-comment.ts'
import { namedBy } from '../segments/segment.ts'
import { targetingFlags } from '../segments/targeting-flags.ts'
import { type ConfigKeys, dependentFlags, type FlagConfig, flagConfigs } from './flag-config.ts'
import { added } from './flag-references.ts'

/**
 * The one way by which a caller changes a configuration, whatever the operation: what an environment asks for before
 * its flags change is asked here.
 *
 * @param before numbered as `after` is; the caller needs the action of each member that differs (D17).
 * @param comment what the caller says about it; some environments want one.
 */
export function changeConfig(
  context: WriteContext,
  keys: ConfigKeys,
  environment: Environment,
  before: FlagConfig,
  after: FlagConfig,
  comment: string | undefined,
): FlagConfig {
  const { tx, now } = context
  requireComment(environment, comment)
  tx.expect(environments, keys, environment)
  noteReferences(context, keys, before, after)
  return tx.replace(flagConfigs, keys, before, { ...after, lastModified: now })
}

/** Keeps what segments and prerequisites know of the flags that refer to them in step with a configuration. */
export function noteReferences(
  { tx }: WriteContext,
  { projectKey, environmentKey, flagKey }: ConfigKeys,
  before: Pick<FlagConfig, 'rules' | 'prerequisites'>,
  after: Pick<FlagConfig, 'rules' | 'prerequisites'>,
): void {
  const segments = [namedBy(before.rules), namedBy(after.rules)] as const
  const place = { projectKey, environmentKey }
  for (const segmentKey of added(...segments)) tx.addMembers(targetingFlags, { ...place, segmentKey }, [flagKey])
  for (const segmentKey of removed(...segments)) tx.removeMembers(targetingFlags, { ...place, segmentKey }, [flagKey])
  const flags = [keysOf(before), keysOf(after)] as const
  for (const key of added(...flags)) tx.addMembers(dependentFlags, { ...place, flagKey: key }, [flagKey])
  for (const key of removed(...flags)) tx.removeMembers(dependentFlags, { ...place, flagKey: key }, [flagKey])
}

function keysOf({ prerequisites }: Pick<FlagConfig, 'prerequisites'>): string[] {
  return prerequisites.map(({ key }) => key)
}

function removed(before: readonly string[], after: readonly string[]): string[] {
  return added(after, before)
}
