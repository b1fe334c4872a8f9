import { bucketing, bucketValueOf } from './bucket.ts'
import { allMatch, compileClause } from './compiled-clause.ts'
import type { CompiledSegment, CompiledSegmentRule, KeyList } from './evaluation.ts'
import {
  type Chain,
  type Evaluation,
  extendChain,
  type MalformedReason,
  memoize,
  recordBigSegmentsStatus,
  type Verdict,
} from './evaluation.ts'
import type { SegmentData, SegmentRuleData, SegmentTargetData } from './flag-data.ts'
import type { CompilePattern } from './safe-pattern.ts'
import { attributesOf, type Subject } from './subject.ts'

const badBucketBy: MalformedReason = {
  malformed: 'the attribute by which a segment rule assigns buckets is not a valid reference',
}

/** Prepares a segment for evaluation. */
export function compileSegment(data: SegmentData, compilePattern?: CompilePattern): CompiledSegment {
  const rules = (data.rules ?? []).map((rule) => compileRule(rule, data, compilePattern))
  const included = keyLists(data.includedContexts, data.included)
  const excluded = keyLists(data.excludedContexts, data.excluded)
  const hasNestedSegments = rules.some(({ clauses }) => clauses.some(({ segmentKeys }) => segmentKeys !== undefined))

  function matchesRules(evaluation: Evaluation, parents: Chain | undefined): Verdict {
    const chain = hasNestedSegments ? extendChain(data.key, parents) : undefined
    for (const rule of rules) {
      const verdict = ruleMatches(rule, evaluation, chain)
      if (verdict !== false) return verdict
    }
    return false
  }

  function matchesSegment(evaluation: Evaluation, parents: Chain | undefined): Verdict {
    const listed = data.unbounded
      ? listedInBigSegment(data, evaluation)
      : listedIn(included, excluded, evaluation.subject)
    return listed ?? matchesRules(evaluation, parents)
  }

  function matchesOnce(evaluation: Evaluation, parents: Chain | undefined): Verdict {
    const memo = (evaluation.segmentOutcomes ??= new Map())
    return memoize(evaluation, memo, data.key, () => matchesSegment(evaluation, parents)).outcome
  }

  return { data, included, excluded, rules, matches: hasNestedSegments ? matchesOnce : matchesSegment }
}

function compileRule(
  data: SegmentRuleData,
  { key, salt }: SegmentData,
  compilePattern: CompilePattern | undefined,
): CompiledSegmentRule {
  const { bucketBy, rolloutContextKind: contextKind, weight } = data
  const rollout =
    typeof weight === 'number'
      ? { bucketing: bucketing({ prefix: `${key}.${salt ?? ''}`, bucketBy, contextKind }), threshold: weight / 100_000 }
      : undefined
  return { data, clauses: (data.clauses ?? []).map((clause) => compileClause(clause, compilePattern)), share: rollout }
}

/** Returns true if a rule matches a context: its clauses first, then its percentage. */
export function ruleMatches(
  { data, clauses, share: rollout }: CompiledSegmentRule,
  evaluation: Evaluation,
  segments: Chain | undefined,
): Verdict {
  if (!data.clauses) return false
  const verdict = allMatch(clauses, evaluation, segments)
  if (verdict !== true || !rollout) return verdict
  return rollout.bucketing.read ? bucketValueOf(rollout.bucketing, evaluation.subject) < rollout.threshold : badBucketBy
}

function keyLists(
  contexts: readonly SegmentTargetData[] | null | undefined,
  users: readonly string[] | null | undefined,
): KeyList[] {
  const lists = [...(contexts ?? []), { contextKind: 'user', values: users }]
  return lists.flatMap(({ contextKind, values }) =>
    values && values.length > 0 ? [{ contextKind: contextKind || 'user', keys: new Set(values) }] : [],
  )
}

/**
 * Returns true if a context is included, false if it is excluded. Included takes precedence over excluded, and both
 * take precedence over rules. Returns undefined if the context is in no list
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d24-segments).
 */
export function listedIn(
  included: readonly KeyList[],
  excluded: readonly KeyList[],
  subject: Subject,
): boolean | undefined {
  if (included.some((list) => hasKey(list, subject))) return true
  return excluded.some((list) => hasKey(list, subject)) ? false : undefined
}

function hasKey({ contextKind, keys }: KeyList, subject: Subject): boolean {
  const key = attributesOf(subject, contextKind)?.key
  return key ? keys.has(key) : false
}

/**
 * Returns the stored membership of a big segment. A subject without a context of the segment's kind is not in it; a
 * segment without a generation cannot be looked up.
 */
export function listedInBigSegment(data: SegmentData, evaluation: Evaluation): boolean | undefined {
  const key = attributesOf(evaluation.subject, data.unboundedContextKind || 'user')?.key
  if (!key) return false
  if (!data.generation) {
    recordBigSegmentsStatus(evaluation, 'NOT_CONFIGURED')
    return false
  }
  const membership = evaluation.bigSegments?.(key)
  recordBigSegmentsStatus(evaluation, membership?.status ?? 'NOT_CONFIGURED')
  return membership?.lists.get(bigSegmentName(data))
}

/**
 * Returns the name of a big segment in a membership. It contains the generation, because a segment that is created
 * again with the same key is another segment.
 */
export function bigSegmentName({ key, generation }: Pick<SegmentData, 'key' | 'generation'>): string {
  return `${key}.g${generation}`
}
