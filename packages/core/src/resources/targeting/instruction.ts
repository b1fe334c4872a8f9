import type { Draft } from 'immer'
import * as v from 'valibot'
import type { Refusal } from '../../rules/targeting/edit-rules.ts'
import type { Targeting } from '../../rules/targeting/targeting.ts'
import type { Placed } from '../../rules/targeting/variation-places.ts'

/** What an instruction works on that changes a targeting; what it writes to the draft counts once all are done. */
export interface TargetingEdit extends VariationNames {
  readonly config: Draft<Targeting>
  readonly newId: () => string
}

/** What an instruction needs to tell variations by their ids. */
export interface VariationNames {
  /** As they are when the instruction is followed. */
  readonly variations: readonly Placed[]
  /** Ends the operation, naming a member of the instruction. */
  readonly refuse: (attribute: string, reason: string) => never
}

/**
 * The card of an instruction: its kind, its members, and what it does. That the thing still makes sense afterwards is
 * seen to once for all of them.
 */
export interface InstructionDefinition<E, Kind extends string, Members extends v.ObjectEntries> {
  readonly kind: Kind
  /** Whether it changes the thing in one environment, which the patch must name. */
  readonly inEnvironment: boolean
  readonly schema: v.StrictObjectSchema<{ readonly kind: v.LiteralSchema<Kind, undefined> } & Members, undefined>
  readonly apply: ApplyInstruction<E, Members>
}

export type ApplyInstruction<E, Members extends v.ObjectEntries> = (
  edit: E,
  given: v.InferOutput<v.StrictObjectSchema<Members, undefined>>,
) => void

/** Declares an instruction. */
export function defineInstruction<E, const Kind extends string, const Members extends v.ObjectEntries>(
  kind: Kind,
  inEnvironment: boolean,
  members: Members,
  apply: ApplyInstruction<E, Members>,
): InstructionDefinition<E, Kind, Members> {
  return { kind, inEnvironment, schema: v.strictObject({ kind: v.literal(kind), ...members }), apply }
}

/** An instruction that changes a targeting, which is that of one environment. */
export function targetingInstruction<const Kind extends string, const Members extends v.ObjectEntries>(
  kind: Kind,
  members: Members,
  apply: ApplyInstruction<TargetingEdit, Members>,
): InstructionDefinition<TargetingEdit, Kind, Members> {
  return defineInstruction(kind, true, members, apply)
}

/** Ends the operation where an edit of rules could not be done. */
export function need({ refuse }: Pick<VariationNames, 'refuse'>, refusal: Refusal | undefined): void {
  if (refusal) refuse(refusal.attribute, refusal.reason)
}
