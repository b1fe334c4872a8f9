import * as v from 'valibot'
import { list } from '../../../operation/schema.ts'
import type { InstructionDefinition } from '../../targeting/instruction.ts'
import { ruleInstructions } from '../../targeting/rule-instructions.ts'
import { targetingInstructions } from '../../targeting/target-instructions.ts'
import type { Edit } from './instruction.ts'
import { lifecycleInstructions } from './lifecycle.ts'
import { prerequisiteInstructions } from './prerequisites.ts'
import { releaseInstructions } from './releases.ts'
import { settingInstructions } from './settings.ts'
import { userTargetInstructions } from './user-targets.ts'
import { variationInstructions } from './variations.ts'

const definitions = [
  ...targetingInstructions,
  ...userTargetInstructions,
  ...ruleInstructions,
  ...prerequisiteInstructions,
  ...variationInstructions,
  ...releaseInstructions,
  ...settingInstructions,
  ...lifecycleInstructions,
] as const

type Schemas<Definitions extends readonly { readonly schema: unknown }[]> = {
  -readonly [Index in keyof Definitions]: Definitions[Index]['schema']
}

const schema = v.variant('kind', definitions.map((definition) => definition.schema) as Schemas<typeof definitions>)

/** Type of `flagInstruction`. The declarations of operations name it instead of repeating the schemas of all instructions. */
export interface FlagInstructionSchema
  extends v.GenericSchema<v.InferInput<typeof schema>, v.InferOutput<typeof schema>> {}

/**
 * Any instruction of a semantic patch of a flag
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 */
export const flagInstruction: FlagInstructionSchema = schema

export type FlagInstruction = v.InferOutput<typeof flagInstruction>

const maxInstructions = 100

const instructionList = v.pipe(
  list(flagInstruction),
  v.minLength(1, 'must contain at least 1 instruction'),
  v.maxLength(maxInstructions, `must contain at most ${maxInstructions} instructions`),
)

/** Type of `flagInstructionList`. The declarations of operations name it instead of repeating the schemas. */
export interface FlagInstructionListSchema
  extends v.GenericSchema<readonly v.InferInput<typeof flagInstruction>[], readonly FlagInstruction[]> {}

/** One to 100 instructions of a later change. */
export const flagInstructionList: FlagInstructionListSchema = instructionList

const byKind = new Map<string, unknown>(definitions.map((definition) => [definition.kind, definition]))

/** Returns the definition of a kind of instruction. */
export function definitionOf(kind: FlagInstruction['kind']): InstructionDefinition<Edit, string, v.ObjectEntries> {
  // The map has every kind that the schema accepts, and each definition receives the output of its own schema.
  return byKind.get(kind) as InstructionDefinition<Edit, string, v.ObjectEntries>
}
