import { type Environment, environments } from '../../../models/environments/environment.ts'
import { activeReleases } from '../../../models/flags/automated-release.ts'
import { type Flag, flags } from '../../../models/flags/flag.ts'
import {
  type ConfigKeys,
  defaultConfig,
  dependentFlags,
  type FlagConfig,
  flagConfigs,
} from '../../../models/flags/flag-config.ts'
import { type ApprovalPass, isListApproved } from '../../../operation/approval-pass.ts'
import { documentGuard, documentStates } from '../../../operation/commit-guard.ts'
import { requiresApproval } from '../../../rules/approval/guard.ts'
import type { ExpiryClock } from '../../../rules/expiring-targets/expiring-targets.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { indexMapping, keepsIndexes, renumberVariations } from '../../../rules/targeting/variation-indexes.ts'
import { isSame } from '../../../storage/changed-document.ts'
import type { Versioned } from '../../../storage/collection.ts'
import type { Writer } from '../../../storage/writer.ts'
import { requireBypass } from '../../environments/require-approval.ts'
import { configAt } from '../config-at.ts'
import { loadEnvironments } from '../flag-state.ts'

/** Maximum number of flags that are checked for the need of approval. With more flags, approval is required. */
const maxCheckedFlags = 1_000

/** The environment of a change, and the tags of the flag. */
export interface TaggedChange {
  readonly environment: Environment
  readonly tags: readonly string[]
}

/**
 * Tests whether an environment requires approval for a change of a flag with these tags
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals): for the flag itself, or for a dependent flag
 * that has this flag as a prerequisite, because the change also affects the values of the dependent flag.
 *
 * The commit requires that every document that was read here is unchanged.
 */
export async function needsApproval(
  tx: Writer,
  { flagKey, ...environmentKeys }: ConfigKeys,
  { environment: { approvalSettings }, tags }: TaggedChange,
): Promise<boolean> {
  if (!approvalSettings.required) return false
  if (requiresApproval(approvalSettings, tags)) return true
  const seen = new Set([flagKey])
  for (let level = [flagKey]; level.length > 0; ) {
    const dependents = await Promise.all(
      level.map((key) => tx.pageKeys(dependentFlags, { ...environmentKeys, flagKey: key }, { limit: maxCheckedFlags })),
    )
    level = [...new Set(dependents.flat())].filter((key) => !seen.has(key))
    for (const key of level) seen.add(key)
    if (seen.size > maxCheckedFlags) return true
    const documents = await Promise.all(level.map((key) => tx.get(flags, { ...environmentKeys, flagKey: key })))
    for (const flag of documents) {
      if (!flag) continue
      if (requiresApproval(approvalSettings, flag.tags)) return true
      tx.expect(flags, { ...environmentKeys, flagKey: flag.key }, flag)
    }
  }
  return false
}

/** Properties of a flag: true if a change of the property can change what SDKs are served. */
const served: Readonly<Record<Exclude<keyof Flag, keyof Versioned>, boolean>> = {
  key: true,
  name: false,
  description: false,
  // The kind follows from the values of the variations.
  kind: false,
  // Compared by id, because new variations are not served yet.
  variations: false,
  // Existing environments do not follow new defaults.
  defaults: false,
  temporary: false,
  tags: false,
  // The property follows from `clientSideAvailability`.
  includeInSnippet: false,
  clientSideAvailability: true,
  maintainerId: false,
  maintainerTeamKey: false,
  customProperties: false,
  archived: true,
  archivedDate: false,
  deprecated: false,
  deprecatedDate: false,
  purpose: true,
  migrationSettings: true,
  salt: true,
  sel: true,
  revision: false,
  createdAt: false,
}

const servedProperties = (Object.keys(served) as (keyof typeof served)[]).filter((property) => served[property])

/**
 * Checks a change of the flag-wide part of a flag, or its deletion. When that changes what an environment serves, or
 * ends the protection of the flag there, the environment must have approved it. `configGuard` checks a new flag that is
 * turned on.
 */
export const flagGuard = /* @__PURE__ */ documentGuard(
  flags,
  async ({ tx, pass }, keys, { before, after }) => {
    if (!before) return []
    const changesServing = !after || changesServedValues(before, after)
    if (!changesServing && jsonEqual(before.tags, after.tags)) return []
    const actions = (await loadEnvironments(tx, keys.projectKey)).map(async (environment) => {
      const { approvalSettings, key: environmentKey } = environment
      const environmentKeys = { ...keys, environmentKey }
      tx.expect(environments, environmentKeys, environment)
      if (isApproved(pass, environmentKeys)) return []
      const leavesApproval =
        requiresApproval(approvalSettings, before.tags) && !requiresApproval(approvalSettings, after?.tags ?? [])
      const isProtected =
        leavesApproval ||
        (changesServing && (await needsApproval(tx, environmentKeys, { environment, tags: before.tags })))
      if (!isProtected) return []
      return requireBypass(environmentKey, pass, { changed: { collection: flags, keys, document: before } })
    })
    // The additional action is one on the flag itself, so it is the same for every environment that requires it.
    return (await Promise.all(actions)).find((needed) => needed.length > 0) ?? []
  },
  ['tags', 'variations', ...servedProperties],
)

/**
 * Checks a change of the configuration of a flag in an environment, whichever operation makes it. Configurations are
 * compared by their meaning: new indexes of the same variations, and the removal of expired targets, do not count as
 * changes.
 */
export const configGuard = /* @__PURE__ */ documentGuard(
  flagConfigs,
  async ({ tx, pass, hasCome }, keys, states, written) => {
    const flag = await documentStates(tx, written, flags, keys)
    // `flagGuard` checks the deletion of a flag.
    if (!flag.after) return []
    const environment = (await loadEnvironments(tx, keys.projectKey)).find(({ key }) => key === keys.environmentKey)
    if (!environment) return []
    const after = states.after ?? defaultConfig(flag.after, environment)
    const isUnchanged = flag.before
      ? servesSame(configBefore(flag.before, flag.after, { stored: states.before, environment }, { hasCome }), after)
      : !after.on
    if (isUnchanged) return []
    tx.expect(environments, keys, environment)
    if (isApproved(pass, keys)) return []
    if (!(await needsApproval(tx, keys, { environment, tags: (flag.before ?? flag.after).tags }))) return []
    return requireBypass(environment.key, pass, { changed: { collection: flagConfigs, keys, document: states.before } })
  },
)

function isApproved(pass: ApprovalPass, { projectKey, environmentKey, flagKey }: ConfigKeys): boolean {
  const { approved } = pass
  if (isListApproved(pass, { projectKey })) return true
  return (
    approved?.kind === 'flag' &&
    approved.projectKey === projectKey &&
    approved.environmentKey === environmentKey &&
    approved.resourceKey === flagKey
  )
}

/** The stored configuration of an environment. */
interface EnvironmentConfig {
  readonly stored: FlagConfig | undefined
  readonly environment: Environment
}

/** Returns the configuration before a unit of work, but with the variation indexes that apply after it. */
function configBefore(
  flag: Flag,
  { variations }: Flag,
  { stored, environment }: EnvironmentConfig,
  moment: ExpiryClock,
): FlagConfig {
  const config = stored ? configAt(flag, stored, moment) : defaultConfig(flag, environment)
  if (keepsIndexes(flag.variations, variations)) return config
  return renumberVariations(config, indexMapping(flag.variations, variations))
}

function servesSame(before: FlagConfig, after: FlagConfig): boolean {
  return isSame(comparable(before), comparable(after)) && !startsRelease(before, after)
}

function comparable({ lastModified: _, expiringTargets = [], automatedReleases: __, ...config }: FlagConfig): object {
  return { ...config, expiringTargets }
}

/**
 * Returns true if a change starts a release. The approval of a new release covers its later steps. Holding, resuming or
 * ending a release does not change the served values.
 */
function startsRelease(before: FlagConfig, after: FlagConfig): boolean {
  const known = new Set(activeReleases(before).map(({ id }) => id))
  return activeReleases(after).some(({ id }) => !known.has(id))
}

/** Tests whether SDKs are served other values although no configuration changes. */
function changesServedValues(before: Flag, after: Flag): boolean {
  const values = new Map(after.variations.map(({ _id, value }) => [_id, value]))
  return (
    servedProperties.some((property) => !jsonEqual(before[property], after[property])) ||
    before.variations.some(({ _id, value }) => values.has(_id) && !jsonEqual(values.get(_id), value))
  )
}
