import type { EvaluationResult } from './evaluation-result.ts'
import type { Widen } from './or-default.ts'
import type { EvaluationContext } from './subject.ts'

/**
 * Flags of a program by key, each with the type of its values. Empty here; if a program declares properties, as the
 * file that `halyard types` writes does, a wrong key or a default of another type is a compile error.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs merge their declarations into it
export interface FlagTypes {}

/** Keys of the declared flags; any text if no flags are declared. */
export type FlagKeyOf<Flags extends object> = keyof Flags extends never ? string : keyof Flags & string

/**
 * Evaluates a flag. If flags are declared, it accepts only their keys, and as a default only one of the values of
 * the flag, null or undefined; otherwise it accepts any key and any default.
 *
 * @typeParam Rest further parameters.
 */
export type Evaluate<Flags extends object, Rest extends readonly unknown[] = []> = keyof Flags extends never
  ? <T>(flagKey: string, context: EvaluationContext, fallback: T, ...rest: Rest) => EvaluationResult<Widen<T>>
  : <K extends keyof Flags & string, T extends Flags[K] | null | undefined>(
      flagKey: K,
      context: EvaluationContext,
      fallback: T,
      ...rest: Rest
    ) => EvaluationResult<Flags[K] | Extract<T, null | undefined>>
