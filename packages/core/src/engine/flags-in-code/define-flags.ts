import type { Evaluator } from '../../resources/evaluation/evaluator.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import {
  type DeclaredFlags,
  type DeclaredValue,
  type FlagDeclarations,
  isHandled,
  requireValidDeclarations,
} from './flag-declaration.ts'

/** Key of the definition of flags. It is not enumerable, so flags can have any key. */
const definition: unique symbol = Symbol('halyard.flags')

/** Declarations, and the evaluator that the accessors use. */
interface DeclarationsInUse<D extends FlagDeclarations> {
  readonly declarations: D
  evaluator: FlagEvaluator | undefined
}

/** The functions of an evaluator that accessors call. Every evaluator has them, whatever flags it declares. */
export type FlagEvaluator = Pick<Evaluator<Record<never, never>>, 'evaluate' | 'ready'>

/** An accessor for each declared flag: it returns the value of the flag for a context. Never throws. */
export type FlagAccessors<D extends FlagDeclarations> = {
  readonly [Key in keyof D]: (context: EvaluationContext) => DeclaredValue<D[Key]>
}

/** Accessors that `defineFlags` made. */
export type DefinedFlags<D extends FlagDeclarations> = FlagAccessors<D> & {
  readonly [definition]: DeclarationsInUse<D>
}

/** The flags of `defineFlags` by key, each with the type of its values: `FlagsOf<typeof flags>`. */
export type FlagsOf<Flags> = Flags extends DefinedFlags<infer D> ? DeclaredFlags<D> : never

/**
 * Declares the flags that a program uses. The result has an accessor for each: `flags.checkout(context)` returns the
 * value for a context, and the fallback before `connectFlags`, when the flag does not exist, and when its value is of
 * another type or is not one of `values`.
 *
 * @param declarations declarations by flag key: `{ type: 'boolean', fallback: false, description }`; `string`, `number`
 *   and `json` can have `values`.
 * @throws TypeError naming the flag and the property that is invalid.
 * @example
 * ```ts
 * import { connectFlags, defineFlags } from '@halyard/core/flags'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const flags = defineFlags({
 *   checkout: { type: 'boolean', fallback: false },
 *   theme: { type: 'string', fallback: 'light', values: ['light', 'dark'] },
 * })
 * const engine = await createTestEngine()
 * await engine.given.project('shop')
 * await engine.given.flag('shop', 'theme', { variations: [{ value: 'light' }, { value: 'dark' }] })
 * await connectFlags(flags, engine.evaluator({ projectKey: 'shop', environmentKey: 'production' }))
 * const theme: 'light' | 'dark' = flags.theme({ kind: 'user', key: 'ann' })
 * console.log(theme) // dark
 * ```
 */
export function defineFlags<const D extends FlagDeclarations>(declarations: D): DefinedFlags<D> {
  requireValidDeclarations(declarations)
  return accessorsOf({ declarations, evaluator: undefined })
}

/**
 * Connects declared flags with the flags of an environment. Resolves when the environment was read; from then on, the
 * accessors evaluate its flags. Another call replaces the evaluator.
 *
 * @param evaluator `engine.evaluator(environment)`, or the result of `forceFlags`.
 * @throws ApiError `not_found` when the environment does not exist; any error of the storage. The accessors then return
 *   what they returned before.
 */
export async function connectFlags<D extends FlagDeclarations>(
  flags: DefinedFlags<D>,
  evaluator: Pick<Evaluator<DeclaredFlags<D>>, 'evaluate' | 'ready'> | FlagEvaluator,
): Promise<void> {
  await evaluator.ready()
  flags[definition].evaluator = evaluator as FlagEvaluator
}

/**
 * Returns the same accessors for another evaluator, and leaves `flags` unchanged: for one request with forced
 * flags, or for a second environment.
 *
 * @param evaluator an evaluator whose `ready()` has resolved.
 */
export function bindFlags<D extends FlagDeclarations>(
  flags: DefinedFlags<D>,
  evaluator: Pick<Evaluator<DeclaredFlags<D>>, 'evaluate' | 'ready'> | FlagEvaluator,
): DefinedFlags<D> {
  return accessorsOf({ ...flags[definition], evaluator: evaluator as FlagEvaluator })
}

/** Returns the declarations of flags by key. */
export function declarationsOf<D extends FlagDeclarations>(flags: DefinedFlags<D>): D {
  return flags[definition].declarations
}

function accessorsOf<D extends FlagDeclarations>(defined: DeclarationsInUse<D>): DefinedFlags<D> {
  const accessors = Object.entries(defined.declarations).map(([key, declaration]) => [
    key,
    (context: EvaluationContext) => {
      const value: unknown = defined.evaluator?.evaluate(key, context, declaration.fallback).value
      return isHandled(declaration, value) ? value : declaration.fallback
    },
  ])
  // Cast: `fromEntries` does not know which keys the entries have.
  return Object.defineProperty(Object.fromEntries(accessors), definition, { value: defined }) as DefinedFlags<D>
}
