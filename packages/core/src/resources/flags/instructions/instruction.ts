import type { Draft } from 'immer'
import type * as v from 'valibot'
import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import type { Mandate } from '../../../models/tokens/mandate.ts'
import {
  defineInstruction,
  type InstructionDefinition,
  type InstructionParts,
  type TargetingEdit,
} from '../../targeting/instruction.ts'

/** The drafts that an instruction changes. The changes take effect once all instructions are applied. */
export interface FlagEdit extends Omit<TargetingEdit, 'config'> {
  readonly flag: Draft<Flag>
  /** The configuration in the environment of the patch, if the patch names one. */
  readonly config: Draft<FlagConfig> | undefined
  /** The flags that prerequisites in the patch refer to, by key. */
  readonly others: ReadonlyMap<string, Flag>
  /** Time of the patch, integer ms. */
  readonly now: number
  /** Rights with which the engine performs later steps of an instruction, such as those of a release that it starts. */
  readonly mandate: Mandate
}

/** The drafts of an instruction that changes one environment. */
export interface Edit extends FlagEdit {
  readonly config: Draft<FlagConfig>
}

/** Defines an instruction that changes a flag in all environments. `validateFlag` checks the result. */
export function flagInstruction<const Kind extends string, const Entries extends v.ObjectEntries>(
  parts: InstructionParts<FlagEdit, Kind, Entries>,
): InstructionDefinition<FlagEdit, Kind, Entries> {
  return defineInstruction(parts, false)
}

/** Defines an instruction that changes a flag in the environment of the patch. `validateConfig` checks the result. */
export function environmentInstruction<const Kind extends string, const Entries extends v.ObjectEntries>(
  parts: InstructionParts<Edit, Kind, Entries>,
): InstructionDefinition<Edit, Kind, Entries> {
  return defineInstruction(parts, true)
}
