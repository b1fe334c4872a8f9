import { ownSettings, settingKinds } from '../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { projects } from '../../models/projects/project.ts'
import { documentGuard, type GuardAction } from '../../operation/commit-guard.ts'
import { maxEnvironments } from './environments-response.ts'

/**
 * A caller who deletes an environment that requires approval needs the right to change approval settings. Otherwise the
 * caller could create another environment with its key, and serve anything without approval.
 */
export const environmentGuard = /* @__PURE__ */ documentGuard(environments, async (_, keys, { before, after }) =>
  before && !after ? settingsActions(keys, before) : [],
)

/**
 * A caller who deletes a project needs the right to change approval settings in each of its environments that requires
 * approval.
 */
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
