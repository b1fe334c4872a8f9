import type { Draft } from 'immer'
import * as v from 'valibot'
import type { AIConfig } from '../../../models/ai-configs/ai-config.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { defineInstruction, type InstructionDefinition, type TargetingEdit } from '../../targeting/instruction.ts'
import { ruleInstructions } from '../../targeting/rule-instructions.ts'
import { targetingInstructions } from '../../targeting/target-instructions.ts'
import { variationValue } from './ai-config-targeting-wire.ts'

/** Draft that an instruction edits which changes a config in all environments. */
interface ConfigEdit extends Omit<TargetingEdit, 'config'> {
  readonly aiConfig: Draft<AIConfig>
}

const updateDefaultVariation = defineInstruction(
  'updateDefaultVariation',
  false,
  { onVariationValue: v.optional(v.unknown()), offVariationValue: v.optional(v.unknown()) },
  (edit: ConfigEdit, { onVariationValue: on, offVariationValue: off }) => {
    const { defaults } = edit.aiConfig
    if (on !== undefined) defaults.onVariation = placeOfValue(edit, 'onVariationValue', on)
    if (off !== undefined) defaults.offVariation = placeOfValue(edit, 'offVariationValue', off)
  },
)

function placeOfValue({ aiConfig, refuse }: ConfigEdit, attribute: string, value: unknown): number {
  const index = aiConfig.variations.findIndex((variation) => jsonEqual(variationValue(variation), value))
  return index < 0 ? refuse(attribute, 'must be the value of a variation') : index
}

const cards = [...targetingInstructions, ...ruleInstructions, updateDefaultVariation] as const

type Schemas<Cards extends readonly { readonly schema: unknown }[]> = {
  -readonly [Index in keyof Cards]: Cards[Index]['schema']
}

/** Any instruction of a semantic patch of a targeting (D12). */
export const aiConfigInstruction = v.variant('kind', cards.map((card) => card.schema) as Schemas<typeof cards>)

export type AIConfigInstruction = v.InferOutput<typeof aiConfigInstruction>

const byKind = new Map<string, unknown>(cards.map((card) => [card.kind, card]))

/** Returns the definition of a kind of instruction. */
export function cardOf(
  kind: AIConfigInstruction['kind'],
): InstructionDefinition<TargetingEdit & ConfigEdit, string, v.ObjectEntries> {
  // The map has every kind that the schema accepts, and each definition receives the output of its own schema.
  return byKind.get(kind) as InstructionDefinition<TargetingEdit & ConfigEdit, string, v.ObjectEntries>
}
