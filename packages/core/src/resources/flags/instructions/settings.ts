import type { Draft } from 'immer'
import * as v from 'valibot'
import type { CustomProperty } from '../../../models/flags/flag.ts'
import { key, name, tags, text } from '../../../operation/schema.ts'
import { named, shortName } from '../../../rules/sentences/sentence.ts'
import { propertyKey, propertyValues } from '../flag-schema.ts'
import { type FlagEdit, flagInstruction } from './instruction.ts'

const sides = ['usingMobileKey', 'usingEnvironmentId'] as const
const side = { value: v.picklist(sides, `must be ${sides.join(' or ')}`) }
/** Kinds of SDK that may read a flag, by the instruction's name for them. */
const sdksOf = { usingMobileKey: 'mobile SDKs', usingEnvironmentId: 'client-side SDKs' } as const
const property = { key: propertyKey(), name: name(), values: propertyValues() }

/** Instructions that change the settings of a flag in all environments. */
export const settingInstructions = [
  flagInstruction(
    'updateName',
    ({ name, place }, { value }) => `renamed ${name} to ${shortName(value)}${place}`,
    { value: name() },
    ({ flag }, { value }) => {
      flag.name = value
    },
  ),
  flagInstruction(
    'updateDescription',
    ({ it }) => `changed the description of ${it}`,
    { value: text() },
    ({ flag }, { value }) => {
      flag.description = value
    },
  ),
  flagInstruction(
    'addTags',
    ({ it }, { values }) => `added ${named(values, 'tags')} to ${it}`,
    { values: tags() },
    ({ flag }, { values }) => {
      flag.tags = [...new Set([...flag.tags, ...values])]
    },
  ),
  flagInstruction(
    'removeTags',
    ({ it }, { values }) => `removed ${named(values, 'tags')} from ${it}`,
    { values: tags() },
    ({ flag }, { values }) => {
      flag.tags = flag.tags.filter((tag) => !values.includes(tag))
    },
  ),
  flagInstruction(
    'makeFlagPermanent',
    ({ it }) => `made ${it} permanent`,
    {},
    ({ flag }) => {
      flag.temporary = false
    },
  ),
  flagInstruction(
    'makeFlagTemporary',
    ({ it }) => `made ${it} temporary`,
    {},
    ({ flag }) => {
      flag.temporary = true
    },
  ),
  flagInstruction(
    'turnOnClientSideAvailability',
    ({ it }, { value }) => `made ${it} available to ${sdksOf[value]}`,
    side,
    ({ flag }, { value }) => {
      flag.clientSideAvailability[value] = true
    },
  ),
  flagInstruction(
    'turnOffClientSideAvailability',
    ({ it }, { value }) => `made ${it} unavailable to ${sdksOf[value]}`,
    side,
    ({ flag }, { value }) => {
      flag.clientSideAvailability[value] = false
    },
  ),

  flagInstruction(
    'updateMaintainerMember',
    ({ it, nameOf }, { value }) => `made ${nameOf('member', value)} the maintainer of ${it}`,
    { value: v.string() },
    ({ flag }, { value }) => {
      flag.maintainerId = value
      delete flag.maintainerTeamKey
    },
  ),
  flagInstruction(
    'updateMaintainerTeam',
    ({ it, nameOf }, { value }) => `made the team ${nameOf('team', value)} the maintainer of ${it}`,
    { value: key() },
    ({ flag }, { value }) => {
      flag.maintainerTeamKey = value
      delete flag.maintainerId
    },
  ),
  flagInstruction(
    'removeMaintainer',
    ({ it }) => `removed the maintainer of ${it}`,
    {},
    ({ flag }) => {
      delete flag.maintainerId
      delete flag.maintainerTeamKey
    },
  ),

  flagInstruction(
    'addCustomProperties',
    ({ it }, { name, values }) => `added ${named(values, 'values')} to the custom property ${shortName(name)} of ${it}`,
    property,
    (edit, instruction) => {
      const values = [...(ownProperty(edit, instruction.key)?.value ?? []), ...instruction.values]
      edit.flag.customProperties[instruction.key] = { name: instruction.name, value: [...new Set(values)] }
    },
  ),
  flagInstruction(
    'replaceCustomProperties',
    ({ it }, { name }) => `replaced the values of the custom property ${shortName(name)} of ${it}`,
    property,
    ({ flag }, instruction) => {
      flag.customProperties[instruction.key] = { name: instruction.name, value: [...instruction.values] }
    },
  ),
  flagInstruction(
    'removeCustomProperties',
    ({ it }, { key, values }) =>
      `removed ${named(values, 'values')} from the custom property ${shortName(key)} of ${it}`,
    { key: property.key, values: property.values },
    (edit, instruction) => {
      const existing = ownProperty(edit, instruction.key)
      if (!existing) return
      existing.value = existing.value.filter((value) => !instruction.values.includes(value))
      if (existing.value.length === 0) delete edit.flag.customProperties[instruction.key]
    },
  ),
] as const

/** Returns a custom property of the flag, but never an inherited one such as `toString`. */
function ownProperty({ flag }: FlagEdit, key: string): Draft<CustomProperty> | undefined {
  return Object.hasOwn(flag.customProperties, key) ? flag.customProperties[key] : undefined
}
