import { castDraft } from 'immer'
import * as v from 'valibot'
import { list } from '../../../operation/schema.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import { joined } from '../../../rules/targeting/edit-rules.ts'
import { contextKind } from '../../targeting/clause-wire.ts'
import { contextKeys } from '../flag-config-wire.ts'
import { type Edit, environmentInstruction } from './instruction.ts'
import { indexOf, serveMembers, serveOf } from './serve.ts'

const trackEvents = v.boolean()
const variationId = v.string()
const kindOrUser = v.optional(contextKind(), userKind)
const userKeys = { values: contextKeys(), variationId }
const contextKeysOfKind = { ...userKeys, contextKind: kindOrUser }
const contextTargets = list(v.strictObject(contextKeysOfKind))
const userTargets = list(v.strictObject(userKeys))

/** Whether a flag is on, what it serves besides its rules, and whom it names one by one. */
export const targetingInstructions = [
  environmentInstruction('turnFlagOn', {}, ({ config }) => {
    config.on = true
  }),
  environmentInstruction('turnFlagOff', {}, ({ config }) => {
    config.on = false
  }),
  environmentInstruction('updateFallthroughVariationOrRollout', serveMembers, (edit, given) => {
    edit.config.fallthrough = castDraft(serveOf(edit, given))
  }),
  environmentInstruction('updateOffVariation', { variationId }, (edit, given) => {
    edit.config.offVariation = indexOf(edit, given.variationId)
  }),
  environmentInstruction('updateTrackEvents', { trackEvents }, ({ config }, given) => {
    config.trackEvents = given.trackEvents
  }),
  environmentInstruction('updateTrackEventsFallthrough', { trackEvents }, ({ config }, given) => {
    config.trackEventsFallthrough = given.trackEvents
  }),

  environmentInstruction('addTargets', contextKeysOfKind, addKeys),
  environmentInstruction('addUserTargets', userKeys, addKeys),
  environmentInstruction('removeTargets', contextKeysOfKind, removeKeys),
  environmentInstruction('removeUserTargets', userKeys, removeKeys),
  environmentInstruction('clearTargets', { variationId }, (edit, given) => {
    clear(edit, 'targets', given.variationId)
    clear(edit, 'contextTargets', given.variationId)
  }),
  environmentInstruction('clearUserTargets', { variationId }, (edit, given) => {
    clear(edit, 'targets', given.variationId)
  }),
  environmentInstruction('replaceTargets', { targets: contextTargets }, (edit, { targets }) => {
    edit.config.targets = []
    edit.config.contextTargets = []
    for (const [at, target] of targets.entries()) addKeys(edit, target, `targets.${at}.`)
  }),
  environmentInstruction('replaceUserTargets', { targets: userTargets }, (edit, { targets }) => {
    const named = new Set(targets.map((target, at) => indexOf(edit, target.variationId, `targets.${at}.variationId`)))
    if (named.size < edit.flag.variations.length) edit.refuse('targets', 'must name every variation')
    edit.config.targets = []
    for (const target of targets) addKeys(edit, target)
  }),
] as const

interface KeysOfVariation {
  readonly values: readonly string[]
  readonly variationId: string
  readonly contextKind?: string
}

function listOf(contextKind: string): 'targets' | 'contextTargets' {
  return contextKind === userKind ? 'targets' : 'contextTargets'
}

function addKeys(edit: Edit, given: KeysOfVariation, at = ''): void {
  const { contextKind = userKind, values } = given
  const variation = indexOf(edit, given.variationId, `${at}variationId`)
  const targets = edit.config[listOf(contextKind)]
  const target = targets.find((one) => one.variation === variation && one.contextKind === contextKind)
  if (target) target.values = joined(target.values, values)
  else if (values.length > 0) targets.push({ values: [...new Set(values)], variation, contextKind })
}

/** Keys that are not there are not missed. */
function removeKeys(edit: Edit, given: KeysOfVariation): void {
  const { contextKind = userKind } = given
  const variation = indexOf(edit, given.variationId)
  const leaving = new Set(given.values)
  const list = listOf(contextKind)
  edit.config[list] = edit.config[list]
    .map((target) =>
      target.variation === variation && target.contextKind === contextKind
        ? { ...target, values: target.values.filter((key) => !leaving.has(key)) }
        : target,
    )
    .filter((target) => target.values.length > 0)
}

function clear(edit: Edit, list: 'targets' | 'contextTargets', variationId: string): void {
  const variation = indexOf(edit, variationId)
  edit.config[list] = edit.config[list].filter((target) => target.variation !== variation)
}
