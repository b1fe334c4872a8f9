import {
  keepsIteration,
  replaceServe,
  servedByRule,
  servesExperiment,
  withoutRule,
} from '../../rules/experiments/iteration-targeting.ts'
import type { Targeting } from '../../rules/targeting/targeting.ts'
import type { Writer } from '../../storage/writer.ts'
import { endIteration } from './end-iteration.ts'
import { experiments, iterationSentences, runningIteration } from './experiment.ts'
import type { Iteration } from './iteration.ts'

/** Maximum number of experiments that run on one flag in one environment. */
const maxRunning = 100

/** A change of the targeting of a flag or an AI config that no experiment makes. */
export interface DisplacingChange<T extends Targeting> {
  readonly projectKey: string
  readonly environmentKey: string
  /** Key of the flag or AI config. */
  readonly key: string
  readonly before: T
  readonly after: T
  /** In the order of their indexes. */
  readonly variations: readonly { readonly _id: string }[]
}

/**
 * Ends the iterations whose rules a change affects, because the results of contexts before and after it cannot be
 * compared. If the changed rule serves the variation of one treatment to all contexts, that treatment is the winner.
 *
 * @param now integer ms.
 * @returns the targeting after the change, without the parts that the iterations had added.
 */
export async function endDisplacedIterations<T extends Targeting>(
  tx: Writer,
  { projectKey, environmentKey, key, before, after, variations }: DisplacingChange<T>,
  now: number,
): Promise<T> {
  if (!servesExperiment(before)) return after
  const scope = { projectKey, environmentKey }
  const where = [{ op: 'equals', field: 'running', value: key }] as const
  const running = await tx.list(experiments, scope, { where, limit: maxRunning })
  let result = after
  for (const experiment of running.items) {
    const iteration = runningIteration(experiment)
    if (!iteration?.serving || keepsIteration(before, after, rulesOf(iteration))) continue
    const variation = servedByRule(after, iteration.ruleId)?.variation
    const variationId = variation === undefined ? undefined : variations[variation]?._id
    const winner = iteration.treatments.find((treatment) => treatment.variationId === variationId)
    const experimentKeys = { ...scope, experimentKey: experiment.key }
    const ended = await endIteration(tx, experimentKeys, experiment, {
      iteration,
      now,
      winningTreatmentId: winner?.id,
      winningReason: `The rule ${iteration.ruleId} of ${key} was changed`,
    })
    tx.follow(experiments, experimentKeys, experiment, ended)
    tx.describe(experiments, experimentKeys, [(subject) => iterationSentences(experiment, ended, subject).join('; ')])
    result = withoutIteration(result, iteration)
  }
  return result
}

/**
 * Returns a targeting in which a rule that serves an iteration serves its earlier variation or rollout again. Other
 * rules are unchanged.
 */
export function withoutIteration<T extends Targeting>(targeting: T, iteration: Iteration): T {
  const { ruleId, serving } = iteration
  const rest = withoutRule(targeting, serving?.holdoutRuleId)
  const isServed = servedByRule(rest, ruleId)?.rollout?.seed === serving?.seed
  return serving && isServed ? replaceServe(rest, ruleId, serving.before) : rest
}

/** Returns the ids of the rules of an iteration. */
export function rulesOf({ ruleId, serving }: Iteration) {
  return { ruleId, holdoutRuleId: serving?.holdoutRuleId }
}
