import * as v from 'valibot'
import {
  defaultApprovalSettings,
  ownSettings,
  type SettingKind,
  settingKinds,
} from '../../../models/environments/approval-settings.ts'
import type { Environment } from '../../../models/environments/environment.ts'
import { key } from '../../../operation/schema.ts'
import { approvalSettings } from '../../environments/environment-schema.ts'

const settingKind = () => v.optional(v.picklist(settingKinds, `must be one of ${settingKinds.join(', ')}`), 'flag')

/** Query parameters that select settings. */
export const settingsQuery = v.object({ environmentKey: v.optional(key()), resourceKind: settingKind() })

/** Body of a request that changes the settings of one environment. */
export const settingsRequest = v.strictObject({
  environmentKey: key(),
  resourceKind: settingKind(),
  ...v.partial(approvalSettings).entries,
})

export const settingsResponse = v.object({
  environmentKey: v.string(),
  resourceKind: v.picklist(settingKinds),
  ...approvalSettings.entries,
})

/**
 * Serializes the approval settings of an environment for a kind of resource; the defaults when it has none of its own.
 */
export function serializeSettings(environment: Environment, kind: SettingKind): v.InferOutput<typeof settingsResponse> {
  const settings = ownSettings(environment, kind) ?? defaultApprovalSettings
  return { environmentKey: environment.key, resourceKind: kind, ...settings }
}
