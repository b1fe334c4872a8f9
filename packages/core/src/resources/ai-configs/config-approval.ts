import { type AIConfig, type AIConfigKeys, aiConfigs } from '../../models/ai-configs/ai-config.ts'
import {
  type AIConfigTargeting,
  aiConfigTargetings,
  defaultTargeting,
} from '../../models/ai-configs/ai-config-targeting.ts'
import { type AIConfigVariation, aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import { ownSettings } from '../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../models/environments/environment.ts'
import { isListApproved } from '../../operation/approval-pass.ts'
import { documentGuard, documentStates, type GuardAction, type GuardContext } from '../../operation/commit-guard.ts'
import { requiresApproval } from '../../rules/approval/guard.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { indexMapping, keepsIndexes, renumberVariations } from '../../rules/targeting/variation-indexes.ts'
import { isSame } from '../../storage/changed-document.ts'
import type { Versioned } from '../../storage/collection.ts'
import { requireBypass } from '../environments/require-approval.ts'
import { loadEnvironments } from '../flags/flag-state.ts'

/** An approval request is deleted with its config, so no approval of the deletion can be requested. */
const deletionHint = 'set bypassRequiredApproval to delete it without approval'

/** Checks the deletion of a config, and the removal of the tag that makes it require approval. */
export const aiConfigGuard = /* @__PURE__ */ documentGuard(aiConfigs, async (context, keys, { before, after }) => {
  if (!before || (after && jsonEqual(before.tags, after.tags))) return []
  if (after && isApproved(context.pass, keys)) return []
  return requireApprovals(context, { keys, before, after }, after ? requestHint(keys) : deletionHint)
})

/** Checks a change of a variation, which applies to all environments. */
export const variationGuard = /* @__PURE__ */ documentGuard(
  aiConfigVariations,
  async (context, keys, { before, after }, written) => {
    if (!before || !after || !changesServedContent(before, after) || isApproved(context.pass, keys)) return []
    const config = await documentStates(context.tx, written, aiConfigs, keys)
    return config.before
      ? requireApprovals(context, { keys, before: config.before, after: undefined }, requestHint(keys))
      : []
  },
)

/** Checks a change of the targeting of a config in an environment. */
export const targetingGuard = /* @__PURE__ */ documentGuard(
  aiConfigTargetings,
  async ({ tx, pass }, keys, states, written) => {
    const config = await documentStates(tx, written, aiConfigs, keys)
    const environment = (await loadEnvironments(tx, keys.projectKey)).find(({ key }) => key === keys.environmentKey)
    if (!config.before || !config.after || !environment) return []
    const after = states.after ?? defaultTargeting(config.after, environment)
    const before = targetingBefore(config.before, config.after, { stored: states.before, environment })
    if (isSame({ ...before, lastModified: 0 }, { ...after, lastModified: 0 })) return []
    tx.expect(environments, keys, environment)
    if (isApproved(pass, keys, keys.environmentKey)) return []
    if (!isProtected(config.before.tags, environment)) return []
    const changed = { collection: aiConfigTargetings, keys, document: states.before }
    return requireBypass(environment.key, pass, { changed })
  },
)

/** Properties of a variation: true if applications receive the property, false if it is only for people. */
const served: Readonly<Record<Exclude<keyof AIConfigVariation, keyof Versioned>, boolean>> = {
  id: true,
  configKey: true,
  key: true,
  name: false,
  description: false,
  instructions: true,
  messages: true,
  model: true,
  modelConfigKey: true,
  tools: true,
  skills: true,
  judges: true,
  color: false,
  comment: false,
  state: true,
  publishedAt: false,
  archivedAt: false,
  revision: false,
  createdAt: false,
}

const servedProperties = (Object.keys(served) as (keyof typeof served)[]).filter((property) => served[property])

function changesServedContent(before: AIConfigVariation, after: AIConfigVariation): boolean {
  return servedProperties.some((property) => !jsonEqual(before[property], after[property]))
}

/** A config that a change affects. */
interface GuardedConfig {
  readonly keys: AIConfigKeys
  readonly before: AIConfig
  /**
   * The config after the change. Undefined for a change of served content, which needs approval whatever tags the
   * config has afterwards.
   */
  readonly after: AIConfig | undefined
}

/**
 * Requires the approval of each environment that requires it for the config.
 *
 * @param alternative what the caller can do instead, for the message.
 */
async function requireApprovals(
  { tx, pass }: GuardContext,
  { keys, before, after }: GuardedConfig,
  alternative: string,
): Promise<readonly GuardAction[]> {
  return (await loadEnvironments(tx, keys.projectKey)).flatMap((environment) => {
    const environmentKeys = { ...keys, environmentKey: environment.key }
    tx.expect(environments, environmentKeys, environment)
    if (!isProtected(before.tags, environment) || (after && isProtected(after.tags, environment))) return []
    return requireBypass(environment.key, pass, {
      changed: { collection: aiConfigTargetings, keys: environmentKeys },
      alternative,
    })
  })
}

/**
 * Returns the part of the error message that names the alternative for a caller who must not change the part of a
 * config that all environments share.
 */
const requestHint = ({ projectKey, configKey }: AIConfigKeys) =>
  `create an approval request for proj/${projectKey}:aiconfig/${configKey}`

/**
 * Returns true if reviewers have approved the change: for one environment, or for all of them when no environment is
 * given.
 */
function isApproved(
  pass: GuardContext['pass'],
  { projectKey, configKey }: AIConfigKeys,
  environmentKey?: string,
): boolean {
  const { approved } = pass
  if (isListApproved(pass, { projectKey })) return true
  return (
    approved?.kind === 'aiconfig' &&
    approved.projectKey === projectKey &&
    approved.resourceKey === configKey &&
    approved.environmentKey === environmentKey
  )
}

function isProtected(tags: readonly string[], environment: Environment): boolean {
  const settings = ownSettings(environment, 'aiconfig')
  return settings !== undefined && requiresApproval(settings, tags)
}

/** The stored targeting of an environment. */
interface EnvironmentTargeting {
  readonly stored: AIConfigTargeting | undefined
  readonly environment: Environment
}

/** Returns the targeting as it was before a unit of work, but with the variation indexes that apply after it. */
function targetingBefore(
  config: AIConfig,
  { variations }: AIConfig,
  { stored, environment }: EnvironmentTargeting,
): AIConfigTargeting {
  const targeting = stored ?? defaultTargeting(config, environment)
  if (keepsIndexes(config.variations, variations)) return targeting
  return renumberVariations(targeting, indexMapping(config.variations, variations))
}
