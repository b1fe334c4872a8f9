import { bucketValueOf, hasContext } from './bucket.ts'
import { evaluateFlagOnce, targetOutcome } from './compiled-flag.ts'
import { listedIn, listedInBigSegment, ruleMatches } from './compiled-segment.ts'
import type { CompiledServe } from './compiled-serve.ts'
import { type EvaluateOptions, evaluate } from './evaluate.ts'
import type { CompiledClause } from './evaluation.ts'
import {
  beginEvaluation,
  type Chain,
  type CompiledFlag,
  type CompiledPrerequisite,
  type CompiledSegment,
  closesCycle,
  type Evaluation,
  extendChain,
  type Ruleset,
  type Verdict,
} from './evaluation.ts'
import type {
  BucketExplanation,
  ClauseExplanation,
  EvaluationExplanation,
  FlagExplanation,
  PrerequisiteExplanation,
  RuleExplanation,
  SegmentExplanation,
  SegmentRuleExplanation,
  ServeExplanation,
} from './evaluation-explanation.ts'
import { evaluationText } from './evaluation-text.ts'
import { attributesOf, type EvaluationContext, subjectOf } from './subject.ts'

/**
 * Evaluates a flag as {@link evaluate} does and returns all steps: prerequisites, targets, rules with each clause and
 * segment, and the bucket of the context in a rollout. Intended for people; it takes many times as long as an
 * evaluation.
 */
export function explainEvaluation(
  ruleset: Ruleset,
  flagKey: string,
  context: EvaluationContext,
  options: EvaluateOptions = {},
): EvaluationExplanation {
  const outcome = evaluate(ruleset, flagKey, context, options)
  const subject = subjectOf(context)
  const compiled = ruleset.flags.get(flagKey)?.get()
  const contextError = typeof subject === 'string' ? subject : undefined
  const flag =
    compiled && typeof subject !== 'string'
      ? explainFlag(
          compiled,
          { evaluation: beginEvaluation(ruleset, subject, options.bigSegments), seen: new Set() },
          undefined,
        )
      : undefined
  return { ...outcome, flag, contextError, text: evaluationText(flagKey, outcome, flag, contextError) }
}

/** State of an explanation: the evaluation, and the flags and segments that are already explained. */
interface ExplanationState {
  readonly evaluation: Evaluation
  readonly seen: Set<string>
}

const emptyExplanation = { prerequisites: [], target: undefined, rules: [], fallthrough: undefined } as const

function explainFlag(flag: CompiledFlag, state: ExplanationState, parents: Chain | undefined): FlagExplanation {
  const { data } = flag
  const { outcome } = evaluateFlagOnce(flag, state.evaluation, parents)
  const head = { key: data.key, version: data.version, on: data.on === true, outcome, ...emptyExplanation }
  if (state.seen.has(`flag ${data.key}`)) return { ...head, repeated: true }
  state.seen.add(`flag ${data.key}`)
  if (!head.on) return head
  const prerequisites = explainPrerequisites(flag, state, parents)
  if (prerequisites.some(({ met }) => !met)) return { ...head, prerequisites }
  const target = matchingTarget(flag, state)
  if (target) return { ...head, prerequisites, target }
  const rules = explainRules(flag, state)
  const isDecided = rules.at(-1)?.serve !== undefined || isMalformed(rules.at(-1))
  const fallthrough = isDecided ? undefined : explainServe(flag.fallthrough, state.evaluation)
  return { ...head, prerequisites, rules, fallthrough }
}

function isMalformed(rule: RuleExplanation | undefined): boolean {
  return rule?.clauses.at(-1)?.malformed !== undefined
}

function explainPrerequisites(
  flag: CompiledFlag,
  state: ExplanationState,
  parents: Chain | undefined,
): PrerequisiteExplanation[] {
  const chain = extendChain(flag.data.key, parents)
  const explained: PrerequisiteExplanation[] = []
  for (const prerequisite of flag.prerequisites) {
    const explanation = explainPrerequisite(prerequisite, state, chain)
    explained.push(explanation)
    if (!explanation.met) break
  }
  return explained
}

function explainPrerequisite({ key, variation }: CompiledPrerequisite, state: ExplanationState, chain: Chain) {
  const isInCycle = closesCycle(chain, key)
  const prerequisite = isInCycle ? undefined : state.evaluation.ruleset.flags.get(key)?.get()
  if (!prerequisite) return { key, variation, met: false, flag: undefined, isInCycle }
  const flag = explainFlag(prerequisite, state, chain)
  const { reason, variationIndex } = flag.outcome
  const met = reason.kind !== 'OFF' && reason.kind !== 'ERROR' && variationIndex === variation
  return { key, variation, met, flag, isInCycle }
}

function matchingTarget({ targets }: CompiledFlag, { evaluation: { subject } }: ExplanationState) {
  const list = targets.find((target) => targetOutcome([target], subject))
  const contextKey = list && attributesOf(subject, list.contextKind)?.key
  return contextKey === undefined ? undefined : { contextKind: list?.contextKind as string, contextKey }
}

function explainRules(flag: CompiledFlag, state: ExplanationState): RuleExplanation[] {
  const explained: RuleExplanation[] = []
  for (const [index, { data, clauses: all, serve }] of flag.rules.entries()) {
    if (!data.clauses) continue
    const clauses = explainClauses(all, state, undefined)
    const matched = clauses.every((clause) => clause.matched)
    const served = matched ? explainServe(serve, state.evaluation) : undefined
    const rule = { index, id: data.id, matched, clauses, serve: served }
    explained.push(rule)
    if (matched || isMalformed(rule)) break
  }
  return explained
}

function explainClauses(
  all: readonly CompiledClause[],
  state: ExplanationState,
  chain: Chain | undefined,
): ClauseExplanation[] {
  const explained: ClauseExplanation[] = []
  for (const clause of all) {
    const explanation = explainClause(clause, state, chain)
    explained.push(explanation)
    if (!explanation.matched) break
  }
  return explained
}

function explainClause(clause: CompiledClause, state: ExplanationState, chain: Chain | undefined): ClauseExplanation {
  const { evaluation } = state
  const verdict = clause.matches(evaluation, chain)
  return {
    clause: clause.data,
    value: clause.read?.(evaluation.subject),
    matched: verdict === true,
    malformed: malformedReason(verdict),
    segments: explainSegments(clause.segmentKeys ?? [], state, chain),
  }
}

function malformedReason(verdict: Verdict): string | undefined {
  return typeof verdict === 'object' ? verdict.malformed : undefined
}

function explainSegments(
  keys: readonly string[],
  state: ExplanationState,
  chain: Chain | undefined,
): SegmentExplanation[] {
  const explained: SegmentExplanation[] = []
  for (const key of keys) {
    const segment = state.evaluation.ruleset.segments.get(key)?.get()
    if (!segment) explained.push({ key, matched: false, decidedBy: 'no segment', rules: [] })
    else if (closesCycle(chain, key)) return [...explained, { key, matched: false, decidedBy: 'cycle', rules: [] }]
    else explained.push(explainSegment(segment, state, chain))
    if (explained.at(-1)?.matched) break
  }
  return explained
}

function explainSegment(
  segment: CompiledSegment,
  state: ExplanationState,
  parents: Chain | undefined,
): SegmentExplanation {
  const { data, included, excluded } = segment
  const { evaluation, seen } = state
  const listed = data.unbounded
    ? listedInBigSegment(data, evaluation)
    : listedIn(included, excluded, evaluation.subject)
  if (listed !== undefined) return { key: data.key, matched: listed, decidedBy: 'list', rules: [] }
  const matched = segment.matches(evaluation, parents) === true
  const head = { key: data.key, matched, decidedBy: matched ? ('rule' as const) : ('nothing' as const), rules: [] }
  if (seen.has(`segment ${data.key}`)) return { ...head, repeated: true }
  seen.add(`segment ${data.key}`)
  return { ...head, rules: explainSegmentRules(segment, state, extendChain(data.key, parents)) }
}

function explainSegmentRules(
  segment: CompiledSegment,
  state: ExplanationState,
  chain: Chain,
): SegmentRuleExplanation[] {
  const explained: SegmentRuleExplanation[] = []
  for (const [index, rule] of segment.rules.entries()) {
    if (!rule.data.clauses) continue
    const { share: rollout } = rule
    const clauses = explainClauses(rule.clauses, state, chain)
    const isBucketed = rollout && clauses.every((clause) => clause.matched)
    const bucket = isBucketed ? explainBucket(rollout.bucketing, [rollout.threshold], state.evaluation) : undefined
    const verdict = ruleMatches(rule, state.evaluation, chain)
    explained.push({ index, matched: verdict === true, clauses, bucket })
    if (verdict !== false) break
  }
  return explained
}

function explainServe({ rollout, outcome }: CompiledServe, evaluation: Evaluation): ServeExplanation {
  const { variationIndex } = outcome(evaluation.subject)
  return { variationIndex, bucket: rollout && explainBucket(rollout.bucketing, rollout.ends, evaluation) }
}

function explainBucket(
  bucketing: Parameters<typeof bucketValueOf>[0],
  ends: readonly number[],
  { subject }: Evaluation,
): BucketExplanation {
  const { contextKind } = bucketing
  return { contextKind, hasContext: hasContext(bucketing, subject), value: bucketValueOf(bucketing, subject), ends }
}
