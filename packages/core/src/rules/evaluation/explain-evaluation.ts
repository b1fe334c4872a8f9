import { hasContext, placeOf } from './bucket.ts'
import { decideOnce, targetOutcome } from './compiled-flag.ts'
import { listedIn, listedInBig, ruleMatches } from './compiled-segment.ts'
import type { CompiledServe } from './compiled-serve.ts'
import { type EvaluateOptions, evaluate } from './evaluate.ts'
import type { CompiledClause } from './evaluation.ts'
import {
  beginEvaluation,
  type Chain,
  type CompiledFlag,
  type CompiledPrerequisite,
  type CompiledSegment,
  chained,
  closesCircle,
  type Evaluation,
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
  const contextFault = typeof subject === 'string' ? subject : undefined
  const flag =
    compiled && typeof subject !== 'string'
      ? explainFlag(
          compiled,
          { evaluation: beginEvaluation(ruleset, subject, options.bigSegments), told: new Set() },
          undefined,
        )
      : undefined
  return { ...outcome, flag, contextFault, text: evaluationText(flagKey, outcome, flag, contextFault) }
}

/** State of an explanation: the evaluation, and the flags and segments that are already explained. */
interface Telling {
  readonly evaluation: Evaluation
  readonly told: Set<string>
}

const nothingLookedAt = { prerequisites: [], target: undefined, rules: [], fallthrough: undefined } as const

function explainFlag(flag: CompiledFlag, telling: Telling, up: Chain | undefined): FlagExplanation {
  const { data } = flag
  const { outcome } = decideOnce(flag, telling.evaluation, up)
  const head = { key: data.key, version: data.version, on: data.on === true, outcome, ...nothingLookedAt }
  if (telling.told.has(`flag ${data.key}`)) return { ...head, repeated: true }
  telling.told.add(`flag ${data.key}`)
  if (!head.on) return head
  const prerequisites = explainPrerequisites(flag, telling, up)
  if (prerequisites.some(({ met }) => !met)) return { ...head, prerequisites }
  const target = namingTarget(flag, telling)
  if (target) return { ...head, prerequisites, target }
  const rules = explainRules(flag, telling)
  const decided = rules.at(-1)?.serve !== undefined || isMalformed(rules.at(-1))
  const fallthrough = decided ? undefined : explainServe(flag.fallthrough, telling.evaluation)
  return { ...head, prerequisites, rules, fallthrough }
}

function isMalformed(rule: RuleExplanation | undefined): boolean {
  return rule?.clauses.at(-1)?.malformed !== undefined
}

function explainPrerequisites(flag: CompiledFlag, telling: Telling, up: Chain | undefined): PrerequisiteExplanation[] {
  const chain = chained(flag.data.key, up)
  const explained: PrerequisiteExplanation[] = []
  for (const prerequisite of flag.prerequisites) {
    const one = explainPrerequisite(prerequisite, telling, chain)
    explained.push(one)
    if (!one.met) break
  }
  return explained
}

function explainPrerequisite({ key, variation }: CompiledPrerequisite, telling: Telling, chain: Chain) {
  const circle = closesCircle(chain, key)
  const other = circle ? undefined : telling.evaluation.ruleset.flags.get(key)?.get()
  if (!other) return { key, variation, met: false, flag: undefined, circle }
  const flag = explainFlag(other, telling, chain)
  const { reason, variationIndex } = flag.outcome
  const met = reason.kind !== 'OFF' && reason.kind !== 'ERROR' && variationIndex === variation
  return { key, variation, met, flag, circle }
}

function namingTarget({ targets }: CompiledFlag, { evaluation: { subject } }: Telling) {
  const list = targets.find((one) => targetOutcome([one], subject))
  const contextKey = list && attributesOf(subject, list.contextKind)?.key
  return contextKey === undefined ? undefined : { contextKind: list?.contextKind as string, contextKey }
}

function explainRules(flag: CompiledFlag, telling: Telling): RuleExplanation[] {
  const explained: RuleExplanation[] = []
  for (const [index, { data, clauses: all, serve }] of flag.rules.entries()) {
    if (!data.clauses) continue
    const clauses = explainClauses(all, telling, undefined)
    const matched = clauses.every((clause) => clause.matched)
    const served = matched ? explainServe(serve, telling.evaluation) : undefined
    const rule = { index, id: data.id, matched, clauses, serve: served }
    explained.push(rule)
    if (matched || isMalformed(rule)) break
  }
  return explained
}

function explainClauses(
  all: readonly CompiledClause[],
  telling: Telling,
  chain: Chain | undefined,
): ClauseExplanation[] {
  const explained: ClauseExplanation[] = []
  for (const clause of all) {
    const one = explainClause(clause, telling, chain)
    explained.push(one)
    if (!one.matched) break
  }
  return explained
}

function explainClause(clause: CompiledClause, telling: Telling, chain: Chain | undefined): ClauseExplanation {
  const { evaluation } = telling
  const verdict = clause.matches(evaluation, chain)
  return {
    clause: clause.data,
    value: clause.read?.(evaluation.subject),
    matched: verdict === true,
    malformed: faultOf(verdict),
    segments: explainSegments(clause.segmentKeys ?? [], telling, chain),
  }
}

function faultOf(verdict: Verdict): string | undefined {
  return typeof verdict === 'object' ? verdict.malformed : undefined
}

function explainSegments(keys: readonly string[], telling: Telling, chain: Chain | undefined): SegmentExplanation[] {
  const explained: SegmentExplanation[] = []
  for (const key of keys) {
    const segment = telling.evaluation.ruleset.segments.get(key)?.get()
    if (!segment) explained.push({ key, matched: false, by: 'no segment', rules: [] })
    else if (closesCircle(chain, key)) return [...explained, { key, matched: false, by: 'circle', rules: [] }]
    else explained.push(explainSegment(segment, telling, chain))
    if (explained.at(-1)?.matched) break
  }
  return explained
}

function explainSegment(segment: CompiledSegment, telling: Telling, up: Chain | undefined): SegmentExplanation {
  const { data, included, excluded } = segment
  const { evaluation, told } = telling
  const listed = data.unbounded ? listedInBig(data, evaluation) : listedIn(included, excluded, evaluation.subject)
  if (listed !== undefined) return { key: data.key, matched: listed, by: 'list', rules: [] }
  const matched = segment.matches(evaluation, up) === true
  const head = { key: data.key, matched, by: matched ? ('rule' as const) : ('nothing' as const), rules: [] }
  if (told.has(`segment ${data.key}`)) return { ...head, repeated: true }
  told.add(`segment ${data.key}`)
  return { ...head, rules: explainSegmentRules(segment, telling, chained(data.key, up)) }
}

function explainSegmentRules(segment: CompiledSegment, telling: Telling, chain: Chain): SegmentRuleExplanation[] {
  const explained: SegmentRuleExplanation[] = []
  for (const [index, rule] of segment.rules.entries()) {
    if (!rule.data.clauses) continue
    const { share } = rule
    const clauses = explainClauses(rule.clauses, telling, chain)
    const placed = share && clauses.every((clause) => clause.matched)
    const bucket = placed ? explainBucket(share.bucketing, [share.below], telling.evaluation) : undefined
    const verdict = ruleMatches(rule, telling.evaluation, chain)
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
  bucketing: Parameters<typeof placeOf>[0],
  ends: readonly number[],
  { subject }: Evaluation,
): BucketExplanation {
  const { contextKind } = bucketing
  return { contextKind, hasContext: hasContext(bucketing, subject), place: placeOf(bucketing, subject), ends }
}
