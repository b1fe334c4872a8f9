import type { Draft } from 'immer'
import * as v from 'valibot'
import type { CustomProperty } from '../../../models/flags/flag.ts'
import { key, name, tags, text } from '../../../operation/schema.ts'
import { propertyKey, propertyValues } from '../flag-schema.ts'
import { type FlagEdit, flagInstruction } from './instruction.ts'

const sides = ['usingMobileKey', 'usingEnvironmentId'] as const
const side = { value: v.picklist(sides, `must be ${sides.join(' or ')}`) }
const property = { key: propertyKey(), name: name(), values: propertyValues() }

/** Instructions that change the settings of a flag in all environments. */
export const settingInstructions = [
  flagInstruction('updateName', { value: name() }, ({ flag }, { value }) => {
    flag.name = value
  }),
  flagInstruction('updateDescription', { value: text() }, ({ flag }, { value }) => {
    flag.description = value
  }),
  flagInstruction('addTags', { values: tags() }, ({ flag }, { values }) => {
    flag.tags = [...new Set([...flag.tags, ...values])]
  }),
  flagInstruction('removeTags', { values: tags() }, ({ flag }, { values }) => {
    flag.tags = flag.tags.filter((tag) => !values.includes(tag))
  }),
  flagInstruction('makeFlagPermanent', {}, ({ flag }) => {
    flag.temporary = false
  }),
  flagInstruction('makeFlagTemporary', {}, ({ flag }) => {
    flag.temporary = true
  }),
  flagInstruction('turnOnClientSideAvailability', side, ({ flag }, { value }) => {
    flag.clientSideAvailability[value] = true
  }),
  flagInstruction('turnOffClientSideAvailability', side, ({ flag }, { value }) => {
    flag.clientSideAvailability[value] = false
  }),

  flagInstruction('updateMaintainerMember', { value: v.string() }, ({ flag }, { value }) => {
    flag.maintainerId = value
    delete flag.maintainerTeamKey
  }),
  flagInstruction('updateMaintainerTeam', { value: key() }, ({ flag }, { value }) => {
    flag.maintainerTeamKey = value
    delete flag.maintainerId
  }),
  flagInstruction('removeMaintainer', {}, ({ flag }) => {
    delete flag.maintainerId
    delete flag.maintainerTeamKey
  }),

  flagInstruction('addCustomProperties', property, (edit, instruction) => {
    const values = [...(ownProperty(edit, instruction.key)?.value ?? []), ...instruction.values]
    edit.flag.customProperties[instruction.key] = { name: instruction.name, value: [...new Set(values)] }
  }),
  flagInstruction('replaceCustomProperties', property, ({ flag }, instruction) => {
    flag.customProperties[instruction.key] = { name: instruction.name, value: [...instruction.values] }
  }),
  flagInstruction('removeCustomProperties', { key: property.key, values: property.values }, (edit, instruction) => {
    const existing = ownProperty(edit, instruction.key)
    if (!existing) return
    existing.value = existing.value.filter((value) => !instruction.values.includes(value))
    if (existing.value.length === 0) delete edit.flag.customProperties[instruction.key]
  }),
] as const

/** Returns a custom property of the flag, but never an inherited one such as `toString`. */
function ownProperty({ flag }: FlagEdit, key: string): Draft<CustomProperty> | undefined {
  return Object.hasOwn(flag.customProperties, key) ? flag.customProperties[key] : undefined
}
