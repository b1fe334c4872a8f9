import type { Evaluator, FlagDescription } from '../../resources/evaluation/evaluator.ts'
import { noLabels } from '../../resources/evaluation/flag-labels.ts'
import {
  type EvaluationContext,
  type EvaluationResult,
  type FlagTypes,
  failedEvaluation,
  migrationStageOf,
  orDefault,
} from '../../rules/evaluation/index.ts'
import { jsonEqual } from '../../rules/json-equal.ts'

/** Values by flag key. If `Flags` declares flags, each value must have the type of its flag. */
export type ForcedValues<Flags extends object> = keyof Flags extends never
  ? Readonly<Record<string, unknown>>
  : Partial<Flags>

type AnyEvaluator = Evaluator<Record<never, never>>

/**
 * Returns an evaluator in which these flags have these values for every context, with the reason `FALLTHROUGH`; all
 * other flags are evaluated by `evaluator`. Evaluations of a forced flag are not counted and record no exposure. A flag
 * that has a forced flag as a prerequisite is evaluated as if that prerequisite were not forced. For unit tests, and
 * for single requests.
 *
 * @param values forced values by flag key. A value that is undefined forces nothing.
 * @param evaluator evaluates the flags that are not forced. Without it, these flags are unknown, and no engine is
 *   needed.
 * @example
 * ```ts
 * import { connectFlags, defineFlags, forceFlags } from '@halyard/core/flags'
 *
 * const flags = defineFlags({
 *   checkout: { type: 'boolean', fallback: false },
 *   theme: { type: 'string', fallback: 'light' },
 * })
 * await connectFlags(flags, forceFlags({ checkout: true }))
 * const ann = { kind: 'user', key: 'ann' }
 * console.log(flags.checkout(ann), flags.theme(ann)) // true light
 * ```
 */
export function forceFlags<Flags extends object = FlagTypes>(
  values: ForcedValues<Flags>,
  evaluator?: Evaluator<Flags>,
): Evaluator<Flags>
// In the implementation, the key of a flag is a string: the types of `Flags` concern only callers.
export function forceFlags(values: object, evaluator: AnyEvaluator = withoutFlags): AnyEvaluator {
  const forced = new Map(Object.entries(values).filter(([, value]) => value !== undefined))
  return forcedEvaluator(forced, evaluator)
}

function forcedEvaluator(forced: ReadonlyMap<string, unknown>, others: AnyEvaluator): AnyEvaluator {
  const resultOf = (flagKey: string) => forcedResult(others, flagKey, forced.get(flagKey))
  const evaluateBy =
    (evaluate: AnyEvaluator['evaluate']): AnyEvaluator['evaluate'] =>
    (flagKey, context, fallback) =>
      forced.has(flagKey) ? orDefault(resultOf(flagKey), fallback) : evaluate(flagKey, context, fallback)
  return {
    ready: () => others.ready(),
    evaluate: evaluateBy(others.evaluate),
    peek: evaluateBy(others.peek),
    count(flagKey, variationIndex, evaluated) {
      if (!forced.has(flagKey)) others.count(flagKey, variationIndex, evaluated)
    },
    track: (key, context, options) => others.track(key, context, options),
    evaluateAll(context, options) {
      const results = new Map(Object.entries(others.evaluateAll(context, options)))
      for (const flagKey of forced.keys()) {
        // A flag that client-side SDKs may not see stays hidden.
        if (!options?.clientSide || results.has(flagKey)) results.set(flagKey, resultOf(flagKey))
      }
      return Object.fromEntries(results)
    },
    migrationStage: (flagKey, context, fallback) =>
      forced.has(flagKey)
        ? migrationStageOf(resultOf(flagKey), fallback)
        : others.migrationStage(flagKey, context, fallback),
    explain: (flagKey, context) => others.explain(flagKey, context),
    describe: (flagKey) =>
      forced.has(flagKey)
        ? forcedDescription(others.describe(flagKey), flagKey, forced.get(flagKey))
        : others.describe(flagKey),
    lookUpBigSegments: (context) => others.lookUpBigSegments(context),
    onChange: (listener) =>
      others.onChange((flagKeys) => {
        const changed = flagKeys.filter((flagKey) => !forced.has(flagKey))
        if (changed.length > 0) listener(changed)
      }),
    get current() {
      return others.current
    },
    get ruleset() {
      return others.ruleset
    },
  }
}

/** Returns a result with this value. Its variation index is null when no variation of the flag has the value. */
function forcedResult(others: AnyEvaluator, flagKey: string, value: unknown): EvaluationResult {
  const index = (others.describe(flagKey)?.data.variations ?? []).findIndex((variation) => jsonEqual(variation, value))
  return { value, variationIndex: index < 0 ? null : index, reason: { kind: 'FALLTHROUGH' } }
}

/** Describes a forced flag as one that is on and serves the value to every context. */
function forcedDescription(described: FlagDescription | undefined, key: string, value: unknown): FlagDescription {
  const { variationNames, customProperties } = described ?? noLabels
  const { variations = [value] } = described?.data ?? {}
  const variation = variations.findIndex((each) => jsonEqual(each, value))
  return { variationNames, customProperties, data: { key, on: true, variations, fallthrough: { variation } } }
}

const unknownFlag = failedEvaluation('FLAG_NOT_FOUND')
const failed = <T>(_flagKey: string, _context: EvaluationContext, fallback: T) => orDefault(unknownFlag, fallback)

/** An evaluator of an environment without flags. */
const withoutFlags: AnyEvaluator = {
  ready: async () => {},
  evaluate: failed,
  peek: failed,
  count() {},
  track() {},
  evaluateAll: () => ({}),
  migrationStage: (_flagKey, _context, fallback) => migrationStageOf(unknownFlag, fallback),
  explain: () => undefined,
  describe: () => undefined,
  lookUpBigSegments: async () => {},
  onChange: () => () => {},
  current: true,
  ruleset: undefined,
}
