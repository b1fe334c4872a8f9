import { castDraft } from 'immer'
import * as v from 'valibot'
import { list } from '../../operation/schema.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { joined } from '../../rules/targeting/edit-rules.ts'
import { contextKind } from './clause-wire.ts'
import { type TargetingEdit, targetingInstruction } from './instruction.ts'
import { indexOf, serveMembers, serveOf } from './serve-request.ts'
import { contextKeys } from './targeting-wire.ts'

const trackEvents = v.boolean()
const variationId = v.string()

/** Schema entries for the keys of users that get a variation. */
export const userKeys = { values: contextKeys(), variationId }
const contextKeysOfKind = { ...userKeys, contextKind: v.optional(contextKind(), userKind) }
const contextTargets = list(v.strictObject(contextKeysOfKind))

/**
 * Instructions that turn a targeting on or off, set what it serves outside of its rules, and edit its individual
 * targets.
 */
export const targetingInstructions = [
  targetingInstruction('turnFlagOn', {}, ({ config }) => {
    config.on = true
  }),
  targetingInstruction('turnFlagOff', {}, ({ config }) => {
    config.on = false
  }),
  targetingInstruction('updateFallthroughVariationOrRollout', serveMembers, (edit, given) => {
    edit.config.fallthrough = castDraft(serveOf(edit, given))
  }),
  targetingInstruction('updateOffVariation', { variationId }, (edit, given) => {
    edit.config.offVariation = indexOf(edit, given.variationId)
  }),
  targetingInstruction('updateTrackEvents', { trackEvents }, ({ config }, given) => {
    config.trackEvents = given.trackEvents
  }),
  targetingInstruction('updateTrackEventsFallthrough', { trackEvents }, ({ config }, given) => {
    config.trackEventsFallthrough = given.trackEvents
  }),

  targetingInstruction('addTargets', contextKeysOfKind, addKeys),
  targetingInstruction('removeTargets', contextKeysOfKind, removeKeys),
  targetingInstruction('clearTargets', { variationId }, (edit, given) => {
    clearKeys(edit, 'targets', given.variationId)
    clearKeys(edit, 'contextTargets', given.variationId)
  }),
  targetingInstruction('replaceTargets', { targets: contextTargets }, (edit, { targets }) => {
    edit.config.targets = []
    edit.config.contextTargets = []
    for (const [at, target] of targets.entries()) addKeys(edit, target, `targets.${at}.`)
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

/** Adds contexts to the targets of a variation. */
export function addKeys(edit: TargetingEdit, given: KeysOfVariation, at = ''): void {
  const { contextKind = userKind, values } = given
  const variation = indexOf(edit, given.variationId, `${at}variationId`)
  const targets = edit.config[listOf(contextKind)]
  const target = targets.find((one) => one.variation === variation && one.contextKind === contextKind)
  if (target) target.values = joined(target.values, values)
  else if (values.length > 0) targets.push({ values: [...new Set(values)], variation, contextKind })
}

/** Removes contexts from the targets of a variation. Ignores keys that are not among them. */
export function removeKeys(edit: TargetingEdit, given: KeysOfVariation): void {
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

/** Removes all targets of a variation from a list. */
export function clearKeys(edit: TargetingEdit, list: 'targets' | 'contextTargets', variationId: string): void {
  const variation = indexOf(edit, variationId)
  edit.config[list] = edit.config[list].filter((target) => target.variation !== variation)
}
