import { type AIConfig, type AIConfigKeys, aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import {
  type AIConfigTargeting,
  aiConfigTargetings,
  defaultTargeting,
} from '../../../models/ai-configs/ai-config-targeting.ts'
import { environments } from '../../../models/environments/environment.ts'
import { recordNewReferences } from '../../../models/segments/record-new-references.ts'
import { referencedSegments } from '../../../models/segments/segment.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Replacement } from '../../../storage/collection.ts'
import { requireComment } from '../../environments/require-comment.ts'
import { settleExperiments } from '../../environments/settle-experiments.ts'
import type { TargetingChange } from './apply-instructions.ts'
import type { TargetingState } from './targeting-state.ts'

/** A targeting as it is stored before a change. */
export interface TargetingToChange {
  readonly keys: AIConfigKeys
  readonly before: TargetingState
}

/**
 * Writes the result of a patch of a targeting after the last validations.
 *
 * Each targeting is written at its own address, so that a policy for one environment allows changes of that environment
 * only (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
 *
 * @returns the targeting in all environments, as it will be stored.
 * @throws ApiError `invalid_request` naming the instruction that caused the error.
 */
export async function saveTargeting(
  context: Pick<WriteContext, 'tx' | 'readClock'>,
  { keys, before }: TargetingToChange,
  change: TargetingChange,
): Promise<TargetingState> {
  const { environmentKey = '' } = change.targeting ?? {}
  const stored = before.targetings.get(environmentKey)
  const changed = change.targeting && !jsonEqual(stored, change.targeting) ? change.targeting : undefined
  const { sentences } = change
  if (sentences.config.length > 0) context.tx.describe(aiConfigs, keys, sentences.config)
  if (sentences.targeting.length > 0)
    context.tx.describe(aiConfigTargetings, { ...keys, environmentKey }, sentences.targeting)
  if (stored && changed) await requireSegments(context, { keys, before: stored, after: changed }, change)
  const targetings = new Map<string, AIConfigTargeting>()
  for (const environment of before.environments) {
    const environmentKeys = { ...keys, environmentKey: environment.key }
    const current = before.targetings.get(environment.key) as AIConfigTargeting
    if (changed && environment.key === environmentKey) {
      requireComment(environment, change.comment)
      context.tx.expect(environments, environmentKeys, environment)
      const now = context.readClock()
      const settled = change.byExperiment
        ? changed
        : await settleExperiments(
            context.tx,
            {
              ...environmentKeys,
              key: keys.configKey,
              before: current,
              after: changed,
              variations: before.variations.map(({ id }) => ({ _id: id })),
            },
            now,
          )
      const updated = { ...settled, lastModified: now }
      targetings.set(environmentKey, context.tx.replace(aiConfigTargetings, environmentKeys, current, updated))
      continue
    }
    // A targeting that was never stored follows the defaults. When the defaults change, the targeting must be stored to
    // keep its content.
    const implied = current.version === 0 ? defaultTargeting(change.config, environment) : current
    if (!jsonEqual(implied, current)) context.tx.expect(environments, environmentKeys, environment)
    targetings.set(environment.key, context.tx.follow(aiConfigTargetings, environmentKeys, implied, current))
  }
  return {
    ...before,
    config: writeConfig(context, { keys, before: before.config, after: change.config }, changed !== undefined),
    targetings,
  }
}

/**
 * Refuses the change if rules now refer to a segment that does not exist. The commit requires that these segments still
 * exist.
 */
async function requireSegments(
  { tx }: Pick<WriteContext, 'tx'>,
  { keys: { projectKey }, before, after }: Replacement<AIConfigTargeting, AIConfigKeys>,
  { refuse }: TargetingChange,
): Promise<void> {
  const { environmentKey } = after
  const [missing] = await recordNewReferences(tx, projectKey, [{ environmentKey, before, after }])
  if (!missing) return
  const { segmentKey } = missing
  refuse(`rules must name segments of the environment: ${segmentKey} does not exist`, ({ rules }) =>
    referencedSegments(rules).includes(segmentKey),
  )
}

/** Increments the version of the config also when only a targeting has changed. */
function writeConfig(
  { tx }: Pick<WriteContext, 'tx'>,
  { keys, before, after }: Replacement<AIConfig, AIConfigKeys>,
  touched: boolean,
) {
  if (touched && jsonEqual(before, after)) {
    return tx.follow(aiConfigs, keys, before, { ...before, holds: before.holds + 1 })
  }
  return tx.replace(aiConfigs, keys, before, { ...after, holds: before.holds + (touched ? 1 : 0) })
}
