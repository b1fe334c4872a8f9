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

/** What an instruction works on; what it writes to the drafts counts once all instructions are done. */
export interface FlagEdit extends Omit<TargetingEdit, 'config'> {
  readonly flag: Draft<Flag>
  /** In the environment that the patch names, if it names one. */
  readonly config: Draft<FlagConfig> | undefined
  /** The flags that prerequisites of the patch name, by key. */
  readonly others: ReadonlyMap<string, Flag>
}

/** The same for an instruction that is followed in one environment. */
export interface Edit extends FlagEdit {
  readonly config: Draft<FlagConfig>
}

/** An instruction that changes a flag in all environments; that it still makes sense afterwards is seen to by `flagFaults`. */
export function flagInstruction<const Kind extends string, const Members extends v.ObjectEntries>(
  kind: Kind,
  members: Members,
  apply: ApplyInstruction<FlagEdit, Members>,
): InstructionDefinition<FlagEdit, Kind, Members> {
  return defineInstruction(kind, false, members, apply)
}

/** An instruction that changes a flag in the environment of the patch; `configFaults` sees to the rest. */
export function environmentInstruction<const Kind extends string, const Members extends v.ObjectEntries>(
  kind: Kind,
  members: Members,
  apply: ApplyInstruction<Edit, Members>,
): InstructionDefinition<Edit, Kind, Members> {
  return defineInstruction(kind, true, members, apply)
}
