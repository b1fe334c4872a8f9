import type { EngineDesign } from '../engine-design.ts'
import type { Engine, EnvironmentRef, StateEvaluation } from '../engine-interface.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { Operation } from '../operation/operation.ts'
import type { Evaluator } from '../resources/evaluation/evaluator.ts'
import type { AccountStorage } from '../storage/port.ts'
import { noEvaluators } from './absent-parts.ts'

/**
 * Returns functions that evaluate flags on a storage that does not notify of changes: the storage of a past moment, or
 * of a transaction.
 */
export function evaluationOn<O extends Operation>(
  design: EngineDesign<O>,
  storage: AccountStorage,
  { host }: EngineOptions,
) {
  const used = new Set<Evaluator>()
  let evaluators: typeof noEvaluators | undefined
  function evaluatorOf(environment: EnvironmentRef): Evaluator {
    const served = design.aiEvaluation?.content
    evaluators ??= design.evaluators?.(storage, host, { countEvaluations: false, served }) ?? noEvaluators
    const evaluator = evaluators.of(environment)
    used.add(evaluator)
    return evaluator
  }
  const functions: StateEvaluation = {
    evaluator: <Flags extends object>(environment: EnvironmentRef) =>
      evaluatorOf(environment) as Evaluator<never> as Evaluator<Flags>,
    evaluate: ((flagKey, context, fallback, environment) =>
      evaluatorOf(environment).evaluate(flagKey, context, fallback)) as Engine['evaluate'],
    evaluateAll: ((context, environment) => evaluatorOf(environment).evaluateAll(context)) as Engine['evaluateAll'],
  }
  return {
    functions,
    /** Reads the data of the used evaluators again. Undefined when no evaluator was used. */
    reload(): Promise<void> | undefined {
      if (used.size === 0) return undefined
      return Promise.allSettled([...used].map((evaluator) => evaluator.ready())).then(() => {})
    },
  }
}
