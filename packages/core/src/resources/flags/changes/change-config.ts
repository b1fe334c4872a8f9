import { type Environment, environments } from '../../../models/environments/environment.ts'
import type { Variation } from '../../../models/flags/flag.ts'
import { flagChange, flagChanges } from '../../../models/flags/flag-changes.ts'
import { type ConfigKeys, dependentFlags, type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { referencedSegments } from '../../../models/segments/segment.ts'
import { targetingFlags } from '../../../models/segments/targeting-flags.ts'
import type { WriteContext } from '../../../operation/context.ts'
import type { Replacement } from '../../../storage/collection.ts'

import { requireComment } from '../../environments/require-comment.ts'
import { settleExperiments } from '../../environments/settle-experiments.ts'
import { addedKeys } from './flag-references.ts'

/**
 * Writes a changed configuration. Every operation that changes a configuration calls this function, so that comments
 * are always required and the indexes are always updated.
 *
 * @param before the configuration with variations numbered as in `after`. The caller needs the action of each property
 *   that differs (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
 * @throws ApiError `invalid_request` without a comment when the environment requires one, and for an experiment that no
 *   iteration started.
 */
export async function changeConfig(
  context: Pick<WriteContext, 'tx' | 'readClock'>,
  environment: Environment,
  { keys, before, after }: Replacement<FlagConfig, ConfigKeys>,
  change: ConfigChangeOptions,
): Promise<FlagConfig> {
  const { tx } = context
  const now = context.readClock()
  requireComment(environment, change.comment)
  tx.expect(environments, keys, environment)
  const settled = change.byExperiment
    ? after
    : await settleExperiments(tx, { ...keys, key: keys.flagKey, before, after, variations: change.variations }, now)
  updateReferenceIndexes({ tx }, { keys, before, after: settled })
  tx.append(flagChanges, keys, [flagChange({ keys, before, after: settled }, now)])
  return tx.replace(flagConfigs, keys, before, { ...settled, lastModified: now })
}

/** Parts of a change that do not depend on the configuration. */
interface ConfigChangeOptions {
  readonly comment: string | undefined
  /** Variations of the flag after the change. */
  readonly variations: readonly Variation[]
  /** True when the change starts or ends an iteration of an experiment. Default false. */
  readonly byExperiment?: boolean | undefined
}

/** Updates the indexes of the flags that refer to a segment or a prerequisite, after a change of a configuration. */
export function updateReferenceIndexes(
  { tx }: Pick<WriteContext, 'tx'>,
  {
    keys: { projectKey, environmentKey, flagKey },
    before,
    after,
  }: Replacement<Pick<FlagConfig, 'rules' | 'prerequisites'>, ConfigKeys>,
): void {
  const segments = [referencedSegments(before.rules), referencedSegments(after.rules)] as const
  const environmentKeys = { projectKey, environmentKey }
  for (const segmentKey of addedKeys(...segments))
    tx.addKeys(targetingFlags, { ...environmentKeys, segmentKey }, [flagKey])
  for (const segmentKey of removed(...segments))
    tx.removeKeys(targetingFlags, { ...environmentKeys, segmentKey }, [flagKey])
  const flags = [prerequisiteKeys(before), prerequisiteKeys(after)] as const
  for (const key of addedKeys(...flags)) tx.addKeys(dependentFlags, { ...environmentKeys, flagKey: key }, [flagKey])
  for (const key of removed(...flags)) tx.removeKeys(dependentFlags, { ...environmentKeys, flagKey: key }, [flagKey])
}

function prerequisiteKeys({ prerequisites }: Pick<FlagConfig, 'prerequisites'>): string[] {
  return prerequisites.map(({ key }) => key)
}

function removed(before: readonly string[], after: readonly string[]): string[] {
  return addedKeys(after, before)
}
