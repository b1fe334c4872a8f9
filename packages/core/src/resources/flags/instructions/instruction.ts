import type { Draft } from 'immer'
import type * as v from 'valibot'
import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import {
  type ApplyInstruction,
  defineInstruction,
  type InstructionDefinition,
  type TargetingEdit,
} from '../../targeting/instruction.ts'

/** The drafts that an instruction changes. The changes take effect once all instructions are applied. */
export interface FlagEdit extends Omit<TargetingEdit, 'config'> {
  readonly flag: Draft<Flag>
  /** The configuration in the environment of the patch, if the patch names one. */
  readonly config: Draft<FlagConfig> | undefined
  /** The flags that prerequisites in the patch refer to, by key. */
  readonly others: ReadonlyMap<string, Flag>
}

/** The drafts of an instruction that changes one environment. */
export interface Edit extends FlagEdit {
  readonly config: Draft<FlagConfig>
}

/** Defines an instruction that changes a flag in all environments. `validateFlag` checks the result. */
export function flagInstruction<const Kind extends string, const Members extends v.ObjectEntries>(
  kind: Kind,
  members: Members,
  apply: ApplyInstruction<FlagEdit, Members>,
): InstructionDefinition<FlagEdit, Kind, Members> {
  return defineInstruction(kind, false, members, apply)
}

/** Defines an instruction that changes a flag in the environment of the patch. `validateConfig` checks the result. */
export function environmentInstruction<const Kind extends string, const Members extends v.ObjectEntries>(
  kind: Kind,
  members: Members,
  apply: ApplyInstruction<Edit, Members>,
): InstructionDefinition<Edit, Kind, Members> {
  return defineInstruction(kind, true, members, apply)
}
