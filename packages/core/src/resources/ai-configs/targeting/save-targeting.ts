import { type AIConfig, type AIConfigKeys, aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import {
  type AIConfigTargeting,
  aiConfigTargetings,
  defaultTargeting,
} from '../../../models/ai-configs/ai-config-targeting.ts'
import { environments } from '../../../models/environments/environment.ts'
import { holdNamed } from '../../../models/segments/hold-named.ts'
import { namedBy } from '../../../models/segments/segment.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { ApprovalPass } from '../../environments/approval-pass.ts'
import { requireComment } from '../../environments/require-comment.ts'
import { configActions } from '../guarded-config.ts'
import type { TargetingChange } from './instructed-targeting.ts'
import type { TargetingState } from './targeting-state.ts'

/**
 * Writes the result of a patch of a targeting after the last validations.
 *
 * Each targeting is written at its own address, so that a policy for one environment allows changes of that environment
 * only (D17).
 *
 * @param pass allows the change although the environment requires approval of its AI configs.
 * @returns the targeting in all environments, as it will be stored.
 * @throws ApiError `invalid_request` naming the instruction that caused the error; `method_not_allowed` when the
 *   environment requires approval (D31).
 */
export async function saveTargeting(
  context: WriteContext,
  keys: AIConfigKeys,
  before: TargetingState,
  change: TargetingChange,
  pass: ApprovalPass,
): Promise<TargetingState> {
  const { environmentKey = '' } = change.targeting ?? {}
  const was = before.targetings.get(environmentKey)
  const moved = change.targeting && !jsonEqual(was, change.targeting) ? change.targeting : undefined
  if (was && moved) await requireSegments(context, keys, was, moved, change)
  const targetings = new Map<string, AIConfigTargeting>()
  for (const environment of before.environments) {
    const place = { ...keys, environmentKey: environment.key }
    const still = before.targetings.get(environment.key) as AIConfigTargeting
    if (moved && environment.key === environmentKey) {
      requireComment(environment, change.comment)
      context.tx.expect(environments, place, environment)
      const wanted = { ...moved, lastModified: context.readClock() }
      const besides = configActions(before.config, environment, pass)
      targetings.set(environmentKey, context.tx.replace(aiConfigTargetings, place, still, wanted, { besides }))
      continue
    }
    // A targeting that was never stored follows the defaults. When the defaults change, it must be stored to keep its
    // content.
    const implied = still.version === 0 ? defaultTargeting(change.config, environment) : still
    if (!jsonEqual(implied, still)) context.tx.expect(environments, place, environment)
    targetings.set(environment.key, context.tx.follow(aiConfigTargetings, place, implied, still))
  }
  return {
    ...before,
    config: writeConfig(context, keys, before.config, change.config, moved !== undefined),
    targetings,
  }
}

/** Segments that rules newly refer to must exist, and must still exist at the commit. */
async function requireSegments(
  { tx }: WriteContext,
  { projectKey }: AIConfigKeys,
  before: AIConfigTargeting,
  after: AIConfigTargeting,
  { refuse }: TargetingChange,
): Promise<void> {
  const { environmentKey } = after
  const [missing] = await holdNamed(tx, projectKey, [{ environmentKey, before, after }])
  if (!missing) return
  const { segmentKey } = missing
  refuse(`rules must name segments of the environment: ${segmentKey} does not exist`, ({ rules }) =>
    namedBy(rules).includes(segmentKey),
  )
}

/** Increments the version of the config also when only a targeting has changed. */
function writeConfig({ tx }: WriteContext, keys: AIConfigKeys, before: AIConfig, after: AIConfig, touched: boolean) {
  if (touched && jsonEqual(before, after)) {
    return tx.follow(aiConfigs, keys, before, { ...before, holds: before.holds + 1 })
  }
  return tx.replace(aiConfigs, keys, before, { ...after, holds: before.holds + (touched ? 1 : 0) })
}
