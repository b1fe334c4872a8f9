import type { Draft } from 'immer'
import * as v from 'valibot'
import type { Refusal } from '../../rules/targeting/edit-rules.ts'
import type { Targeting } from '../../rules/targeting/targeting.ts'
import type { Placed } from '../../rules/targeting/variation-places.ts'

/**
 * The draft that an instruction changes when it edits the targeting. The changes take effect once all instructions are
 * applied.
 */
export interface TargetingEdit extends VariationNames {
  readonly config: Draft<Targeting>
  readonly newId: () => string
}

/** The variations by which an instruction resolves variation ids. */
export interface VariationNames {
  /** The variations at the time the instruction is applied. */
  readonly variations: readonly Placed[]
  /** Rejects the request with an error that names a property of the instruction. */
  readonly refuse: (attribute: string, reason: string) => never
}

/**
 * Definition of an instruction: its kind, its schema and its effect. The engine validates the result once, after all
 * instructions.
 */
export interface InstructionDefinition<E, Kind extends string, Members extends v.ObjectEntries> {
  readonly kind: Kind
  /** True when the instruction changes one environment, which the patch must name. */
  readonly inEnvironment: boolean
  readonly schema: v.StrictObjectSchema<{ readonly kind: v.LiteralSchema<Kind, undefined> } & Members, undefined>
  readonly apply: ApplyInstruction<E, Members>
}

export type ApplyInstruction<E, Members extends v.ObjectEntries> = (
  edit: E,
  given: v.InferOutput<v.StrictObjectSchema<Members, undefined>>,
) => void

/** Defines an instruction. */
export function defineInstruction<E, const Kind extends string, const Members extends v.ObjectEntries>(
  kind: Kind,
  inEnvironment: boolean,
  members: Members,
  apply: ApplyInstruction<E, Members>,
): InstructionDefinition<E, Kind, Members> {
  return { kind, inEnvironment, schema: v.strictObject({ kind: v.literal(kind), ...members }), apply }
}

/** Defines an instruction that changes the targeting of one environment. */
export function targetingInstruction<const Kind extends string, const Members extends v.ObjectEntries>(
  kind: Kind,
  members: Members,
  apply: ApplyInstruction<TargetingEdit, Members>,
): InstructionDefinition<TargetingEdit, Kind, Members> {
  return defineInstruction(kind, true, members, apply)
}

/** Rejects the request when an edit of rules was refused. */
export function need({ refuse }: Pick<VariationNames, 'refuse'>, refusal: Refusal | undefined): void {
  if (refusal) refuse(refusal.attribute, refusal.reason)
}
