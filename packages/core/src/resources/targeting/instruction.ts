import type { Draft } from 'immer'
import * as v from 'valibot'
import type { Subject } from '../../rules/sentences/sentence.ts'
import type { EditError } from '../../rules/targeting/edit-rules.ts'
import type { Targeting } from '../../rules/targeting/targeting.ts'
import type { VariationId } from '../../rules/targeting/variation-indexes.ts'

/**
 * The draft that an instruction changes when it edits the targeting. The changes take effect once all instructions are
 * applied.
 */
export interface TargetingEdit extends VariationLookup {
  readonly config: Draft<Targeting>
  readonly newId: () => string
}

/** The variations by which an instruction resolves variation ids. */
export interface VariationLookup {
  /** The variations at the time the instruction is applied. */
  readonly variations: readonly VariationId[]
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
  /** Makes the sentence for the change log about the instruction. */
  readonly sentence: InstructionSentence<Members>
  readonly apply: ApplyInstruction<E, Members>
}

/** The resource that an instruction changes, with the names that it had when the instruction was applied. */
export interface InstructionSubject extends Subject {
  /** Returns the name of a variation, or its value when it has no name. */
  variation(id: string): string
  /** Returns the description of a rule, or its number, e.g. `rule 2`. */
  rule(id: string): string
}

/** Makes the sentence about an instruction, in the past tense and without the caller. */
export type InstructionSentence<Entries extends v.ObjectEntries> = (
  subject: InstructionSubject,
  instruction: v.InferOutput<v.StrictObjectSchema<Entries, undefined>>,
) => string

export type ApplyInstruction<E, Entries extends v.ObjectEntries> = (
  edit: E,
  instruction: v.InferOutput<v.StrictObjectSchema<Entries, undefined>>,
) => void

/** The parts from which an instruction is defined. */
export interface InstructionParts<E, Kind extends string, Entries extends v.ObjectEntries> {
  readonly kind: Kind
  /** Makes the sentence for the change log about the instruction. */
  readonly sentence: InstructionSentence<Entries>
  readonly entries: Entries
  readonly apply: ApplyInstruction<E, Entries>
}

/** Defines an instruction. */
export function defineInstruction<E, const Kind extends string, const Entries extends v.ObjectEntries>(
  { kind, sentence, entries, apply }: InstructionParts<E, Kind, Entries>,
  inEnvironment: boolean,
): InstructionDefinition<E, Kind, Entries> {
  return { kind, inEnvironment, schema: v.strictObject({ kind: v.literal(kind), ...entries }), sentence, apply }
}

/** Defines an instruction that changes the targeting of one environment. */
export function targetingInstruction<const Kind extends string, const Entries extends v.ObjectEntries>(
  parts: InstructionParts<TargetingEdit, Kind, Entries>,
): InstructionDefinition<TargetingEdit, Kind, Entries> {
  return defineInstruction(parts, true)
}

/** Rejects the request when an edit of rules was refused. */
export function throwIfRefused({ refuse }: Pick<VariationLookup, 'refuse'>, refusal: EditError | undefined): void {
  if (refusal) refuse(refusal.attribute, refusal.reason)
}
