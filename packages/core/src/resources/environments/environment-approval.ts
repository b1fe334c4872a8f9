import { ownSettings, settingKinds } from '../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { projects } from '../../models/projects/project.ts'
import { documentGuard, type GuardAction } from '../../operation/commit-guard.ts'
import { maxEnvironments } from './environments-response.ts'

/**
 * Requires the right to change approval settings for the deletion of an environment that requires approval: another
 * environment with its key would serve anything without approval.
 */
export const environmentGuard = /* @__PURE__ */ documentGuard(environments, async (_, keys, { before, after }) =>
  before && !after ? settingsActions(keys, before) : [],
)

/** Requires the right to change approval settings in each environment with which a project is deleted. */
export const projectGuard = /* @__PURE__ */ documentGuard(projects, async ({ tx }, keys, { before, after }) => {
  if (!before || after) return []
  const { items } = await tx.list(environments, keys, { limit: maxEnvironments })
  return items.flatMap((environment) => settingsActions({ ...keys, environmentKey: environment.key }, environment))
})

function settingsActions(keys: EnvironmentKeys, environment: Environment): readonly GuardAction[] {
  const requiresApproval = settingKinds.some((kind) => ownSettings(environment, kind)?.required)
  if (!requiresApproval) return []
  return [{ action: 'updateApprovalSettings', collection: environments, keys, document: environment }]
}
