import type { Api } from '../../engine-api.ts'
import type { As } from '../../pipeline/authenticate.ts'
import type { Evaluator } from '../../resources/evaluation/evaluator.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import type { FlagEvaluator } from './define-flags.ts'
import { storedFlags } from './stored-flags.ts'

/** An adapter for the package `flags`. The `entities` of that package are one evaluation context. */
export interface FlagsAdapter<Value> {
  /**
   * Identifies the evaluator. All adapters of an evaluator have the same id, so that `evaluate` of `flags` evaluates
   * their flags together.
   */
  readonly adapterId: symbol
  decide(params: {
    readonly key: string
    readonly entities?: EvaluationContext
    readonly defaultValue?: unknown
  }): Promise<Value>
  bulkDecide(params: {
    readonly flags: readonly { readonly key: string; readonly defaultValue?: unknown }[]
    readonly entities?: EvaluationContext
  }): Promise<Record<string, Value>>
}

const adapterIds = new WeakMap<object, symbol>()

/**
 * Returns an adapter for the package `flags` (Next and SvelteKit): `flag({ key, adapter, identify })`, where `identify`
 * returns the context. It waits until the environment was read, then evaluates in process. When the flag has no value,
 * or a value of another type, the adapter returns `defaultValue`.
 *
 * @typeParam Value the type of the flag's values.
 * @param evaluator `engine.evaluator(environment)`.
 * @throws the adapter rejects as `evaluator.ready` does; `flags` then returns the `defaultValue`.
 * @example
 * ```ts
 * import { flagsAdapter, forceFlags } from '@halyard/core/flags'
 *
 * // const checkout = flag<boolean>({ key: 'checkout', defaultValue: false, adapter: flagsAdapter(evaluator), identify })
 * const adapter = flagsAdapter<boolean>(forceFlags({ checkout: true }))
 * const entities = { kind: 'user', key: 'ann' }
 * console.log(await adapter.decide({ key: 'checkout', entities, defaultValue: false })) // true
 * ```
 */
export function flagsAdapter<Value>(evaluator: FlagEvaluator | Evaluator): FlagsAdapter<Value> {
  const { evaluate, ready } = evaluator as FlagEvaluator
  const adapterId = adapterIds.get(evaluator) ?? Symbol('halyard')
  adapterIds.set(evaluator, adapterId)
  // Cast: the program names the type of the values, which no function can check at run time.
  const decided = (key: string, context: EvaluationContext, defaultValue: unknown) =>
    evaluate(key, context, defaultValue).value as Value
  return {
    adapterId,
    async decide({ key, entities = noContext, defaultValue }) {
      await ready()
      return decided(key, entities, defaultValue)
    },
    async bulkDecide({ flags, entities = noContext }) {
      await ready()
      return Object.fromEntries(flags.map(({ key, defaultValue }) => [key, decided(key, entities, defaultValue)]))
    },
  }
}

/** A value that is not a valid context, so that every flag has its default. */
const noContext = {} as EvaluationContext

/** The flags of a project for the toolbar of `flags`, which reads them at `/.well-known/vercel/flags`. */
export interface FlagsProviderData {
  readonly definitions: Readonly<Record<string, FlagsDefinition>>
  readonly hints: { readonly key: string; readonly text: string }[]
}

/** A flag for the toolbar of `flags`. */
export interface FlagsDefinition {
  readonly description: string
  readonly options: { readonly value: unknown; readonly label?: string }[]
  /** URL at which the flag can be managed. */
  readonly origin?: string
  /** Integer ms, UTC. */
  readonly createdAt: number
}

/**
 * Resolves with the flags of a project, without the archived ones, as `createFlagsDiscoveryEndpoint` of the package
 * `flags` returns them to its toolbar.
 *
 * @param options `as`: caller with `viewProject`; `originOf`: returns the URL of a flag in a console. Default: none.
 * @throws ApiError as `listFlags` does.
 */
export async function flagsProviderData(
  engine: { readonly api: Pick<Api, 'listFlags'> },
  projectKey: string,
  { as, originOf }: { readonly as: As; readonly originOf?: (flagKey: string) => string },
): Promise<FlagsProviderData> {
  const stored = [...(await storedFlags(engine, projectKey, as)).values()].filter(({ archived }) => !archived)
  const definitions = stored.map(({ key, name, description, variations, creationDate }): [string, FlagsDefinition] => [
    key,
    {
      description: description === '' ? name : description,
      options: variations.map((variation) => ({
        value: variation.value,
        ...(variation.name === undefined ? {} : { label: variation.name }),
      })),
      ...(originOf ? { origin: originOf(key) } : {}),
      createdAt: Number(creationDate),
    },
  ])
  return { definitions: Object.fromEntries(definitions), hints: [] }
}
