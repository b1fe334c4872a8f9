import { castDraft } from 'immer'
import * as v from 'valibot'
import { list } from '../../operation/schema.ts'
import { named, onOrOff } from '../../rules/sentences/sentence.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { union } from '../../rules/targeting/edit-rules.ts'
import { contextKind } from './clause-schema.ts'
import { type TargetingEdit, targetingInstruction } from './instruction.ts'
import { servedBy } from './instruction-sentences.ts'
import { serveEntries, serveOf, variationIndexOf } from './serve-request.ts'
import { contextKeys } from './targeting-schema.ts'

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
  targetingInstruction({
    kind: 'turnFlagOn',
    sentence: ({ it }) => `turned on ${it}`,
    entries: {},
    apply: ({ config }) => {
      config.on = true
    },
  }),
  targetingInstruction({
    kind: 'turnFlagOff',
    sentence: ({ it }) => `turned off ${it}`,
    entries: {},
    apply: ({ config }) => {
      config.on = false
    },
  }),
  targetingInstruction({
    kind: 'updateFallthroughVariationOrRollout',
    sentence: (subject, instruction) =>
      `made ${subject.it} serve ${servedBy(subject, instruction)} when no rule matches`,
    entries: serveEntries,
    apply: (edit, instruction) => {
      edit.config.fallthrough = castDraft(serveOf(edit, instruction))
    },
  }),
  targetingInstruction({
    kind: 'updateOffVariation',
    sentence: ({ it, variation }, { variationId }) => `made ${it} serve ${variation(variationId)} while it is off`,
    entries: { variationId },
    apply: (edit, instruction) => {
      edit.config.offVariation = variationIndexOf(edit, instruction.variationId)
    },
  }),
  targetingInstruction({
    kind: 'updateTrackEvents',
    sentence: ({ it }, instruction) => `turned ${onOrOff(instruction.trackEvents)} the event tracking of ${it}`,
    entries: { trackEvents },
    apply: ({ config }, instruction) => {
      config.trackEvents = instruction.trackEvents
    },
  }),
  targetingInstruction({
    kind: 'updateTrackEventsFallthrough',
    sentence: ({ it }, instruction) =>
      `turned ${onOrOff(instruction.trackEvents)} the event tracking of the default rule of ${it}`,
    entries: { trackEvents },
    apply: ({ config }, instruction) => {
      config.trackEventsFallthrough = instruction.trackEvents
    },
  }),

  targetingInstruction({
    kind: 'addTargets',
    sentence: ({ it, variation }, { values, variationId }) =>
      `added ${named(values, 'targets')} to the variation ${variation(variationId)} of ${it}`,
    entries: contextKeysOfKind,
    apply: addTargetKeys,
  }),
  targetingInstruction({
    kind: 'removeTargets',
    sentence: ({ it, variation }, { values, variationId }) =>
      `removed ${named(values, 'targets')} from the variation ${variation(variationId)} of ${it}`,
    entries: contextKeysOfKind,
    apply: removeTargetKeys,
  }),
  targetingInstruction({
    kind: 'clearTargets',
    sentence: ({ it, variation }, { variationId }) =>
      `removed all targets from the variation ${variation(variationId)} of ${it}`,
    entries: { variationId },
    apply: (edit, instruction) => {
      clearTargetKeys(edit, 'targets', instruction.variationId)
      clearTargetKeys(edit, 'contextTargets', instruction.variationId)
    },
  }),
  targetingInstruction({
    kind: 'replaceTargets',
    sentence: ({ it }) => `replaced the targets of ${it}`,
    entries: { targets: contextTargets },
    apply: (edit, { targets }) => {
      edit.config.targets = []
      edit.config.contextTargets = []
      for (const [index, target] of targets.entries()) addTargetKeys(edit, target, `targets.${index}.`)
    },
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
export function addTargetKeys(edit: TargetingEdit, instruction: KeysOfVariation, path = ''): void {
  const { contextKind = userKind, values } = instruction
  const variation = variationIndexOf(edit, instruction.variationId, `${path}variationId`)
  const targets = edit.config[listOf(contextKind)]
  const target = targets.find((entry) => entry.variation === variation && entry.contextKind === contextKind)
  if (target) target.values = union(target.values, values)
  else if (values.length > 0) targets.push({ values: [...new Set(values)], variation, contextKind })
}

/** Removes contexts from the targets of a variation. Ignores keys that are not among them. */
export function removeTargetKeys(edit: TargetingEdit, instruction: KeysOfVariation): void {
  const { contextKind = userKind } = instruction
  const variation = variationIndexOf(edit, instruction.variationId)
  const removedKeys = new Set(instruction.values)
  const list = listOf(contextKind)
  edit.config[list] = edit.config[list]
    .map((target) =>
      target.variation === variation && target.contextKind === contextKind
        ? { ...target, values: target.values.filter((key) => !removedKeys.has(key)) }
        : target,
    )
    .filter((target) => target.values.length > 0)
}

/** Removes all targets of a variation from a list. */
export function clearTargetKeys(edit: TargetingEdit, list: 'targets' | 'contextTargets', variationId: string): void {
  const variation = variationIndexOf(edit, variationId)
  edit.config[list] = edit.config[list].filter((target) => target.variation !== variation)
}
