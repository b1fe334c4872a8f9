import { deepFreeze } from '../deep-freeze.ts'
import { allMatch, compileClause } from './compiled-clause.ts'
import { compileServe, type OutcomeOf } from './compiled-serve.ts'
import {
  type Chain,
  type CompiledFlag,
  closesCycle,
  type Evaluation,
  extendChain,
  type MemoizedOutcome,
  memoize,
  type TargetList,
} from './evaluation.ts'
import { type EvaluationReason, type EvaluationResult, malformedFlag } from './evaluation-result.ts'
import type { FlagData } from './flag-data.ts'
import type { CompilePattern } from './safe-pattern.ts'
import { attributesOf, type Subject } from './subject.ts'

/** Prepares a flag for evaluation. Every possible outcome is created here, once. */
export function compileFlag(data: FlagData, compilePattern?: CompilePattern): CompiledFlag {
  const outcomeOf = outcomesOf(data)
  const off = (reason: EvaluationReason) =>
    typeof data.offVariation === 'number'
      ? outcomeOf(data.offVariation, reason)
      : Object.freeze({ value: undefined, variationIndex: null, reason: Object.freeze(reason) })
  return {
    data,
    off: off({ kind: 'OFF' }),
    prerequisites: (data.prerequisites ?? []).map(({ key, variation }) => ({
      key,
      variation,
      failed: off({ kind: 'PREREQUISITE_FAILED', prerequisiteKey: key }),
    })),
    targets: targetLists(data, outcomeOf),
    rules: (data.rules ?? []).map((rule, ruleIndex) => ({
      data: rule,
      clauses: (rule.clauses ?? []).map((clause) => compileClause(clause, compilePattern)),
      serve: compileServe(data, rule, ruleReason(ruleIndex, rule.id), outcomeOf),
    })),
    fallthrough: compileServe(data, data.fallthrough, { kind: 'FALLTHROUGH' }, outcomeOf),
  }
}

function ruleReason(ruleIndex: number, ruleId: string | undefined): EvaluationReason {
  return ruleId === undefined ? { kind: 'RULE_MATCH', ruleIndex } : { kind: 'RULE_MATCH', ruleIndex, ruleId }
}

/**
 * Creates the outcomes of a flag. They are frozen, because evaluations share them; the values are copies, so that the
 * input is not frozen.
 */
function outcomesOf({ variations = [] }: FlagData): OutcomeOf {
  const values = variations.map((value) => (typeof value === 'object' ? deepFreeze(structuredClone(value)) : value))
  return (variation, reason) =>
    Number.isInteger(variation) && (variation as number) >= 0 && (variation as number) < values.length
      ? Object.freeze({
          value: values[variation as number],
          variationIndex: variation as number,
          reason: Object.freeze(reason),
        })
      : malformedFlag
}

/**
 * Returns the target lists. Consecutive lists of one context kind are merged. If several of them contain a key, the
 * first list applies.
 */
function targetLists({ targets, contextTargets }: FlagData, outcomeOf: OutcomeOf): TargetList[] {
  const users = targets ?? []
  const orderedTargets = contextTargets?.length
    ? contextTargets.map((target) =>
        (target.contextKind || 'user') === 'user'
          ? { ...users.find(({ variation }) => variation === target.variation), contextKind: 'user' }
          : target,
      )
    : users.map((target) => ({ ...target, contextKind: target.contextKind }))
  const lists: { contextKind: string; outcomes: Map<string, EvaluationResult> }[] = []
  for (const { contextKind: kind, values, variation } of orderedTargets) {
    if (!values || values.length === 0) continue
    const contextKind = kind || 'user'
    let list = lists.at(-1)
    if (list?.contextKind !== contextKind) lists.push((list = { contextKind, outcomes: new Map() }))
    const outcome = outcomeOf(variation, { kind: 'TARGET_MATCH' })
    for (const key of values) if (!list.outcomes.has(key)) list.outcomes.set(key, outcome)
  }
  return lists
}

/**
 * Evaluates a flag: off, then prerequisites, targets, rules and the default rule.
 *
 * @param parents flags that have this flag as a prerequisite.
 */
export function evaluateFlag(flag: CompiledFlag, evaluation: Evaluation, parents: Chain | undefined): EvaluationResult {
  if (!flag.data.on) return flag.off
  const { subject } = evaluation
  if (flag.prerequisites.length > 0) {
    const failed = failedPrerequisite(flag, evaluation, parents)
    if (failed) return failed
  }
  if (flag.targets.length > 0) {
    const outcome = targetOutcome(flag.targets, subject)
    if (outcome) return outcome
  }
  for (const rule of flag.rules) {
    if (!rule.data.clauses) continue
    const verdict = allMatch(rule.clauses, evaluation, undefined)
    if (verdict === true) return rule.serve.outcome(subject)
    if (verdict !== false) return malformedFlag
  }
  return flag.fallthrough.outcome(subject)
}

function failedPrerequisite(
  flag: CompiledFlag,
  evaluation: Evaluation,
  parents: Chain | undefined,
): EvaluationResult | undefined {
  const chain = extendChain(flag.data.key, parents)
  for (const { key, variation, failed } of flag.prerequisites) {
    if (closesCycle(chain, key)) return malformedFlag
    const prerequisite = evaluation.ruleset.flags.get(key)?.get()
    if (!prerequisite) return failed
    const { variationIndex, reason } = evaluateFlagOnce(prerequisite, evaluation, chain).outcome
    if (reason.kind === 'ERROR') return malformedFlag
    if (reason.kind === 'OFF' || variationIndex !== variation) return failed
  }
  return undefined
}

/** Evaluates a flag and caches its outcome for the rest of the evaluation. */
export function evaluateFlagOnce(
  flag: CompiledFlag,
  evaluation: Evaluation,
  parents: Chain | undefined,
): MemoizedOutcome<EvaluationResult> {
  const memo = (evaluation.flagOutcomes ??= new Map())
  return memoize(evaluation, memo, flag.data.key, () => evaluateFlag(flag, evaluation, parents))
}

/** Returns the outcome of the first target that lists the context. */
export function targetOutcome(lists: readonly TargetList[], subject: Subject): EvaluationResult | undefined {
  for (const { contextKind, outcomes } of lists) {
    const key = attributesOf(subject, contextKind)?.key
    const outcome = key === undefined ? undefined : outcomes.get(key)
    if (outcome) return outcome
  }
  return undefined
}
