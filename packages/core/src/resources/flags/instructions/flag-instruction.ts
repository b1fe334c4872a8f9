import * as v from 'valibot'
import type { InstructionDefinition } from '../../targeting/instruction.ts'
import { ruleInstructions } from '../../targeting/rule-instructions.ts'
import { targetingInstructions } from '../../targeting/target-instructions.ts'
import type { Edit } from './instruction.ts'
import { lifecycleInstructions } from './lifecycle.ts'
import { prerequisiteInstructions } from './prerequisites.ts'
import { settingInstructions } from './settings.ts'
import { userTargetInstructions } from './user-targets.ts'
import { variationInstructions } from './variations.ts'

const cards = [
  ...targetingInstructions,
  ...userTargetInstructions,
  ...ruleInstructions,
  ...prerequisiteInstructions,
  ...variationInstructions,
  ...settingInstructions,
  ...lifecycleInstructions,
] as const

type Schemas<Cards extends readonly { readonly schema: unknown }[]> = {
  -readonly [Index in keyof Cards]: Cards[Index]['schema']
}

/**
 * Any instruction of a semantic patch of a flag
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 */
export const flagInstruction = v.variant('kind', cards.map((card) => card.schema) as Schemas<typeof cards>)

export type FlagInstruction = v.InferOutput<typeof flagInstruction>

const byKind = new Map<string, unknown>(cards.map((card) => [card.kind, card]))

/** Returns the definition of a kind of instruction. */
export function cardOf(kind: FlagInstruction['kind']): InstructionDefinition<Edit, string, v.ObjectEntries> {
  // The map has every kind that the schema accepts, and each definition receives the output of its own schema.
  return byKind.get(kind) as InstructionDefinition<Edit, string, v.ObjectEntries>
}
