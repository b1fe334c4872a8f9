import * as v from 'valibot'
import { ownSettings, type SettingKind, settingKinds } from '../../../models/environments/approval-settings.ts'
import { defaultApprovalSettings, type Environment } from '../../../models/environments/environment.ts'
import { key } from '../../../operation/schema.ts'
import { approvalSettings } from '../../environments/environment-wire.ts'

const settingKind = () => v.optional(v.picklist(settingKinds, `must be one of ${settingKinds.join(', ')}`), 'flag')

/** Which settings a caller asks for. */
export const settingsQuery = v.object({ environmentKey: v.optional(key()), resourceKind: settingKind() })

/** What a caller changes of the settings of one environment. */
export const settingsRequest = v.strictObject({
  environmentKey: key(),
  resourceKind: settingKind(),
  ...v.partial(approvalSettings).entries,
})

export const settingsWire = v.object({
  environmentKey: v.string(),
  resourceKind: v.picklist(settingKinds),
  ...approvalSettings.entries,
})

/** Shows what an environment asks for before things of a kind change; the defaults where it says nothing. */
export function presentSettings(environment: Environment, kind: SettingKind): v.InferOutput<typeof settingsWire> {
  const settings = ownSettings(environment, kind) ?? defaultApprovalSettings
  return { environmentKey: environment.key, resourceKind: kind, ...settings }
}
