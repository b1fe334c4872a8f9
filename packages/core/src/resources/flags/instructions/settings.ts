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
  flagInstruction({
    kind: 'updateName',
    sentence: ({ name, place }, { value }) => `renamed ${name} to ${shortName(value)}${place}`,
    entries: { value: name() },
    apply: ({ flag }, { value }) => {
      flag.name = value
    },
  }),
  flagInstruction({
    kind: 'updateDescription',
    sentence: ({ it }) => `changed the description of ${it}`,
    entries: { value: text() },
    apply: ({ flag }, { value }) => {
      flag.description = value
    },
  }),
  flagInstruction({
    kind: 'addTags',
    sentence: ({ it }, { values }) => `added ${named(values, 'tags')} to ${it}`,
    entries: { values: tags() },
    apply: ({ flag }, { values }) => {
      flag.tags = [...new Set([...flag.tags, ...values])]
    },
  }),
  flagInstruction({
    kind: 'removeTags',
    sentence: ({ it }, { values }) => `removed ${named(values, 'tags')} from ${it}`,
    entries: { values: tags() },
    apply: ({ flag }, { values }) => {
      flag.tags = flag.tags.filter((tag) => !values.includes(tag))
    },
  }),
  flagInstruction({
    kind: 'makeFlagPermanent',
    sentence: ({ it }) => `made ${it} permanent`,
    entries: {},
    apply: ({ flag }) => {
      flag.temporary = false
    },
  }),
  flagInstruction({
    kind: 'makeFlagTemporary',
    sentence: ({ it }) => `made ${it} temporary`,
    entries: {},
    apply: ({ flag }) => {
      flag.temporary = true
    },
  }),
  flagInstruction({
    kind: 'turnOnClientSideAvailability',
    sentence: ({ it }, { value }) => `made ${it} available to ${sdksOf[value]}`,
    entries: side,
    apply: ({ flag }, { value }) => {
      flag.clientSideAvailability[value] = true
    },
  }),
  flagInstruction({
    kind: 'turnOffClientSideAvailability',
    sentence: ({ it }, { value }) => `made ${it} unavailable to ${sdksOf[value]}`,
    entries: side,
    apply: ({ flag }, { value }) => {
      flag.clientSideAvailability[value] = false
    },
  }),

  flagInstruction({
    kind: 'updateMaintainerMember',
    sentence: ({ it, nameOf }, { value }) => `made ${nameOf('member', value)} the maintainer of ${it}`,
    entries: { value: v.string() },
    apply: ({ flag }, { value }) => {
      flag.maintainerId = value
      delete flag.maintainerTeamKey
    },
  }),
  flagInstruction({
    kind: 'updateMaintainerTeam',
    sentence: ({ it, nameOf }, { value }) => `made the team ${nameOf('team', value)} the maintainer of ${it}`,
    entries: { value: key() },
    apply: ({ flag }, { value }) => {
      flag.maintainerTeamKey = value
      delete flag.maintainerId
    },
  }),
  flagInstruction({
    kind: 'removeMaintainer',
    sentence: ({ it }) => `removed the maintainer of ${it}`,
    entries: {},
    apply: ({ flag }) => {
      delete flag.maintainerId
      delete flag.maintainerTeamKey
    },
  }),

  flagInstruction({
    kind: 'addCustomProperties',
    sentence: ({ it }, { name, values }) =>
      `added ${named(values, 'values')} to the custom property ${shortName(name)} of ${it}`,
    entries: property,
    apply: (edit, instruction) => {
      const values = [...(ownProperty(edit, instruction.key)?.value ?? []), ...instruction.values]
      edit.flag.customProperties[instruction.key] = { name: instruction.name, value: [...new Set(values)] }
    },
  }),
  flagInstruction({
    kind: 'replaceCustomProperties',
    sentence: ({ it }, { name }) => `replaced the values of the custom property ${shortName(name)} of ${it}`,
    entries: property,
    apply: ({ flag }, instruction) => {
      flag.customProperties[instruction.key] = { name: instruction.name, value: [...instruction.values] }
    },
  }),
  flagInstruction({
    kind: 'removeCustomProperties',
    sentence: ({ it }, { key, values }) =>
      `removed ${named(values, 'values')} from the custom property ${shortName(key)} of ${it}`,
    entries: { key: property.key, values: property.values },
    apply: (edit, instruction) => {
      const existing = ownProperty(edit, instruction.key)
      if (!existing) return
      existing.value = existing.value.filter((value) => !instruction.values.includes(value))
      if (existing.value.length === 0) delete edit.flag.customProperties[instruction.key]
    },
  }),
] as const

/** Returns a custom property of the flag, but never an inherited one such as `toString`. */
function ownProperty({ flag }: FlagEdit, key: string): Draft<CustomProperty> | undefined {
  return Object.hasOwn(flag.customProperties, key) ? flag.customProperties[key] : undefined
}
