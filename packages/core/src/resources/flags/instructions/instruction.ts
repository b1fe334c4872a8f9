import type { Draft } from 'immer'
import * as v from 'valibot'
import type { Refusal } from '../../../rules/targeting/edit-rules.ts'
import type { Flag } from '../flag.ts'
import type { FlagConfig } from '../flag-config.ts'

/** What an instruction works on; what it writes to the drafts counts once all instructions are done. */
export interface FlagEdit {
  readonly flag: Draft<Flag>
  /** In the environment that the patch names, if it names one. */
  readonly config: Draft<FlagConfig> | undefined
  /** The flags that prerequisites of the patch name, by key. */
  readonly others: ReadonlyMap<string, Flag>
  readonly newId: () => string
  /** Ends the operation, naming a member of the instruction. */
  readonly refuse: (attribute: string, reason: string) => never
}

/** The same for an instruction that is followed in one environment. */
export interface Edit extends FlagEdit {
  readonly config: Draft<FlagConfig>
}

/**
 * The card of an instruction: its kind, its members, and what it does. That a flag still makes sense afterwards is
 * seen to once for all of them (`configFaults`, `flagFaults`).
 */
export interface InstructionCard<Kind extends string, Members extends v.ObjectEntries> {
  readonly kind: Kind
  /** Whether it changes the flag in one environment, which the patch must name. */
  readonly inEnvironment: boolean
  readonly schema: v.StrictObjectSchema<{ readonly kind: v.LiteralSchema<Kind, undefined> } & Members, undefined>
  readonly apply: Apply<Edit, Members>
}

type Apply<E, Members extends v.ObjectEntries> = (
  edit: E,
  given: v.InferOutput<v.StrictObjectSchema<Members, undefined>>,
) => void

/** An instruction that changes a flag in all environments. */
export function flagInstruction<const Kind extends string, const Members extends v.ObjectEntries>(
  kind: Kind,
  members: Members,
  apply: Apply<FlagEdit, Members>,
): InstructionCard<Kind, Members> {
  return { kind, inEnvironment: false, schema: v.strictObject({ kind: v.literal(kind), ...members }), apply }
}

/** An instruction that changes a flag in the environment of the patch. */
export function environmentInstruction<const Kind extends string, const Members extends v.ObjectEntries>(
  kind: Kind,
  members: Members,
  apply: Apply<Edit, Members>,
): InstructionCard<Kind, Members> {
  return { kind, inEnvironment: true, schema: v.strictObject({ kind: v.literal(kind), ...members }), apply }
}

/** Ends the operation where an edit of rules could not be done. */
export function need(edit: FlagEdit, refusal: Refusal | undefined): void {
  if (refusal) edit.refuse(refusal.attribute, refusal.reason)
}
