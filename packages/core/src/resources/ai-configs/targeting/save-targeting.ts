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
 * Writes what a patch makes of a targeting, once it holds together.
 *
 * Each targeting is written at its own address, so that a policy for one environment is enough to change that one and
 * nothing else (D17).
 *
 * @param pass what lets the change pass where the environment requires approval of its AI configs.
 * @returns the targeting as it will be stored, in all environments.
 * @throws ApiError `invalid_request` naming the instruction at fault; `method_not_allowed` where the environment requires
 *   approval (D31).
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
    // What was never stored is what the defaults make of it: where these change, it must be stored to stay.
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

/** Segments that rules have come to name must be there, and stay there. */
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
  refuse(`rules must name segments of the environment: ${segmentKey} is none`, ({ rules }) =>
    namedBy(rules).includes(segmentKey),
  )
}

/** Moves the config's version also where a targeting alone has changed. */
function writeConfig({ tx }: WriteContext, keys: AIConfigKeys, before: AIConfig, after: AIConfig, touched: boolean) {
  if (touched && jsonEqual(before, after)) {
    return tx.follow(aiConfigs, keys, before, { ...before, holds: before.holds + 1 })
  }
  return tx.replace(aiConfigs, keys, before, { ...after, holds: before.holds + (touched ? 1 : 0) })
}
