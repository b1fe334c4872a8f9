import type { Evaluated } from './evaluated.ts'
import type { Widened } from './or-default.ts'
import type { EvaluationContext } from './subject.ts'

/**
 * The flags of a program by key, each with the type of its values. Empty here; where a program declares members, as the
 * file does that `halyard types` writes, a wrong key and a default of another type are compile errors.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with
export interface FlagTypes {}

/** The keys of declared flags; any text where none are declared. */
export type FlagKeyOf<Flags extends object> = keyof Flags extends never ? string : keyof Flags & string

/**
 * Evaluates a flag. Where flags are declared it takes their keys alone, and for each a default that is one of its values,
 * null or undefined; where none are, any key and any default.
 *
 * @typeParam Rest what else it takes.
 */
export type Evaluate<Flags extends object, Rest extends readonly unknown[] = []> = keyof Flags extends never
  ? <T>(flagKey: string, context: EvaluationContext, fallback: T, ...rest: Rest) => Evaluated<Widened<T>>
  : <K extends keyof Flags & string, T extends Flags[K] | null | undefined>(
      flagKey: K,
      context: EvaluationContext,
      fallback: T,
      ...rest: Rest
    ) => Evaluated<Flags[K] | Extract<T, null | undefined>>
