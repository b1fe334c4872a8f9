import { jsonEqual } from '../json-equal.ts'
import type { Serve } from '../targeting/serve.ts'
import type { Targeting, TargetingRule } from '../targeting/targeting.ts'

/** Name of the default rule of a targeting, in place of the id of a rule. */
export const defaultRule = 'fallthrough'

/** The rules of a targeting that an iteration uses. */
export interface IterationRules {
  /** Id of the rule, or {@link defaultRule}. */
  readonly ruleId: string
  /** Id of the rule for the contexts of a holdout, which is directly before the rule. */
  readonly holdoutRuleId?: string | undefined
}

/** Returns what a rule serves; undefined when the targeting has no such rule. */
export function servedByRule({ rules, fallthrough }: Targeting, ruleId: string): Serve | undefined {
  if (ruleId === defaultRule) return fallthrough
  const rule = rules.find(({ _id }) => _id === ruleId)
  return rule && serveOf(rule)
}

/** Returns the targeting after the outcome of a rule was replaced. A rule that does not exist is ignored. */
export function replaceServe<T extends Targeting>(targeting: T, ruleId: string, serve: Serve): T {
  if (ruleId === defaultRule) return { ...targeting, fallthrough: serve }
  const rules = targeting.rules.map((rule): TargetingRule => {
    if (rule._id !== ruleId) return rule
    const { variation: _, rollout: __, ...rest } = rule
    return { ...rest, ...serve }
  })
  return { ...targeting, rules }
}

/** Inserts a rule directly before another one, or before the default rule. */
export function withRuleBefore<T extends Targeting>(targeting: T, ruleId: string, rule: TargetingRule): T {
  const index = targeting.rules.findIndex(({ _id }) => _id === ruleId)
  return { ...targeting, rules: targeting.rules.toSpliced(index < 0 ? targeting.rules.length : index, 0, rule) }
}

/** Removes a rule; undefined and unknown ids are ignored. */
export function withoutRule<T extends Targeting>(targeting: T, ruleId: string | undefined): T {
  return { ...targeting, rules: targeting.rules.filter(({ _id }) => _id !== ruleId) }
}

/**
 * Returns true when, after a change, the rules of a running iteration still match the same contexts and serve them the
 * same variations.
 */
export function keepsIteration(
  before: Targeting,
  after: Targeting,
  { ruleId, holdoutRuleId }: IterationRules,
): boolean {
  if (!jsonEqual(servedByRule(before, ruleId), servedByRule(after, ruleId))) return false
  return [ruleId, holdoutRuleId].every((id) => jsonEqual(matchedBy(before, id), matchedBy(after, id)))
}

/** Returns true when a rule of the targeting serves an experiment. */
export function servesExperiment({ rules, fallthrough }: Targeting): boolean {
  return [...rules, fallthrough].some(({ rollout }) => rollout?.kind === 'experiment')
}

/** Returns the seeds of the experiments that a targeting serves, by the id of the rule. */
export function experimentSeeds({ rules, fallthrough }: Targeting): ReadonlyMap<string, number | undefined> {
  const serves = [...rules.map((rule) => [rule._id, rule] as const), [defaultRule, fallthrough] as const]
  return new Map(
    serves.flatMap(([id, { rollout }]): [string, number | undefined][] =>
      rollout?.kind === 'experiment' ? [[id, rollout.seed]] : [],
    ),
  )
}

function matchedBy({ rules }: Targeting, ruleId: string | undefined): unknown {
  const rule = rules.find(({ _id }) => _id === ruleId)
  return rule && [rule.clauses, serveOf(rule)]
}

function serveOf({ variation, rollout }: Serve): Serve {
  return rollout ? { rollout } : variation === undefined ? {} : { variation }
}
