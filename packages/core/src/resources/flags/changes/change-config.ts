import { type Environment, environments } from '../../../models/environments/environment.ts'
import type { Flag } from '../../../models/flags/flag.ts'
import { flagChange, flagChanges } from '../../../models/flags/flag-changes.ts'
import { type ConfigKeys, dependentFlags, type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { namedBy } from '../../../models/segments/segment.ts'
import { targetingFlags } from '../../../models/segments/targeting-flags.ts'
import type { WriteContext } from '../../../operation/context.ts'
import type { ApprovalPass } from '../../environments/approval-pass.ts'
import { unapproved } from '../../environments/require-approval.ts'
import { requireComment } from '../../environments/require-comment.ts'
import { added } from './flag-references.ts'
import { isGuarded } from './guarded-flag.ts'

/** Context of a change of a configuration. */
export interface ConfigReason {
  /** The flag before the call, regardless of what else the call changes in it. */
  readonly flag: Flag
  /** Comment of the caller. Some environments require one. */
  readonly comment: string | undefined
  /** Allows the change although its environment requires approval. */
  readonly pass?: ApprovalPass
}

/**
 * Writes a changed configuration. Every operation that changes a configuration calls this function, so that the rules
 * of the environment are always checked.
 *
 * @param before the configuration with variations numbered as in `after`. The caller needs the action of each property
 *   that differs (D17).
 * @throws ApiError `invalid_request` without a comment when the environment requires one; `method_not_allowed` when the
 *   environment requires approval (D31).
 */
export async function changeConfig(
  context: Pick<WriteContext, 'tx' | 'readClock'>,
  keys: ConfigKeys,
  environment: Environment,
  before: FlagConfig,
  after: FlagConfig,
  { flag, comment, pass = {} }: ConfigReason,
): Promise<FlagConfig> {
  const { tx } = context
  const now = context.readClock()
  requireComment(environment, comment)
  const approved = pass.approvedIn === environment.key || !(await isGuarded(tx, keys, environment, flag.tags))
  const besides = approved ? [] : unapproved(environment.key, pass)
  tx.expect(environments, keys, environment)
  noteReferences({ tx }, keys, before, after)
  tx.append(flagChanges, keys, [flagChange(keys, before, after, now)])
  return tx.replace(flagConfigs, keys, before, { ...after, lastModified: now }, { besides })
}

/** Updates the indexes of the flags that refer to a segment or a prerequisite, after a change of a configuration. */
export function noteReferences(
  { tx }: Pick<WriteContext, 'tx'>,
  { projectKey, environmentKey, flagKey }: ConfigKeys,
  before: Pick<FlagConfig, 'rules' | 'prerequisites'>,
  after: Pick<FlagConfig, 'rules' | 'prerequisites'>,
): void {
  const segments = [namedBy(before.rules), namedBy(after.rules)] as const
  const place = { projectKey, environmentKey }
  for (const segmentKey of added(...segments)) tx.addKeys(targetingFlags, { ...place, segmentKey }, [flagKey])
  for (const segmentKey of removed(...segments)) tx.removeKeys(targetingFlags, { ...place, segmentKey }, [flagKey])
  const flags = [keysOf(before), keysOf(after)] as const
  for (const key of added(...flags)) tx.addKeys(dependentFlags, { ...place, flagKey: key }, [flagKey])
  for (const key of removed(...flags)) tx.removeKeys(dependentFlags, { ...place, flagKey: key }, [flagKey])
}

function keysOf({ prerequisites }: Pick<FlagConfig, 'prerequisites'>): string[] {
  return prerequisites.map(({ key }) => key)
}

function removed(before: readonly string[], after: readonly string[]): string[] {
  return added(after, before)
}
