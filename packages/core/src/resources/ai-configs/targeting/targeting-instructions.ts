import type { Draft } from 'immer'
import * as v from 'valibot'
import type { AIConfig } from '../../../models/ai-configs/ai-config.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { defineInstruction, type InstructionDefinition, type TargetingEdit } from '../../targeting/instruction.ts'
import { ruleInstructions } from '../../targeting/rule-instructions.ts'
import { targetingInstructions } from '../../targeting/target-instructions.ts'
import { variationValue } from './ai-config-targeting-response.ts'

/** Draft of a config for instructions that change it in all environments. */
interface ConfigEdit extends Omit<TargetingEdit, 'config'> {
  readonly aiConfig: Draft<AIConfig>
}

const updateDefaultVariation = defineInstruction(
  {
    kind: 'updateDefaultVariation',
    sentence: ({ it }) => `changed the default variations of ${it}`,
    entries: { onVariationValue: v.optional(v.unknown()), offVariationValue: v.optional(v.unknown()) },
    apply: (edit: ConfigEdit, { onVariationValue: onValue, offVariationValue: offValue }) => {
      const { defaults } = edit.aiConfig
      if (onValue !== undefined) defaults.onVariation = indexOfValue(edit, 'onVariationValue', onValue)
      if (offValue !== undefined) defaults.offVariation = indexOfValue(edit, 'offVariationValue', offValue)
    },
  },
  false,
)

function indexOfValue({ aiConfig, refuse }: ConfigEdit, attribute: string, value: unknown): number {
  const index = aiConfig.variations.findIndex((variation) => jsonEqual(variationValue(variation), value))
  return index < 0 ? refuse(attribute, 'must be the value of a variation') : index
}

const definitions = [...targetingInstructions, ...ruleInstructions, updateDefaultVariation] as const

type Schemas<Definitions extends readonly { readonly schema: unknown }[]> = {
  -readonly [Index in keyof Definitions]: Definitions[Index]['schema']
}

const schema = v.variant('kind', definitions.map((definition) => definition.schema) as Schemas<typeof definitions>)

/**
 * Type of `aiConfigInstruction`. The declarations of operations name it instead of repeating the schemas of all
 * instructions.
 */
export interface AIConfigInstructionSchema
  extends v.GenericSchema<v.InferInput<typeof schema>, v.InferOutput<typeof schema>> {}

/**
 * Any instruction of a semantic patch of a targeting
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 */
export const aiConfigInstruction: AIConfigInstructionSchema = schema

export type AIConfigInstruction = v.InferOutput<typeof aiConfigInstruction>

const byKind = new Map<string, unknown>(definitions.map((definition) => [definition.kind, definition]))

/** Returns the definition of a kind of instruction. */
export function instructionOf(
  kind: AIConfigInstruction['kind'],
): InstructionDefinition<TargetingEdit & ConfigEdit, string, v.ObjectEntries> {
  // The map has every kind that the schema accepts, and each definition receives the output of its own schema.
  return byKind.get(kind) as InstructionDefinition<TargetingEdit & ConfigEdit, string, v.ObjectEntries>
}
