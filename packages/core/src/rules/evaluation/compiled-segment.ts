import { type Bucketing, bucketing, placeOf } from './bucket.ts'
import { allMatch, type CompiledClause, compileClause } from './compiled-clause.ts'
import {
  type Chain,
  chained,
  type Evaluation,
  type Malformed,
  noteBigSegments,
  once,
  type Verdict,
} from './evaluation.ts'
import type { SegmentData, SegmentRuleData, SegmentTargetData } from './flag-data.ts'
import type { CompilePattern } from './safe-pattern.ts'
import { attributesOf, type Subject } from './subject.ts'

/** A segment, ready to be compared with contexts. */
export interface CompiledSegment {
  readonly data: SegmentData
  /** Lists of keys by context kind. */
  readonly included: readonly KeyList[]
  readonly excluded: readonly KeyList[]
  readonly rules: readonly CompiledSegmentRule[]
  /** @param up the segments whose rules led here. */
  matches(evaluation: Evaluation, up: Chain | undefined): Verdict
}

export interface KeyList {
  readonly contextKind: string
  readonly keys: ReadonlySet<string>
}

export interface CompiledSegmentRule {
  readonly data: SegmentRuleData
  readonly clauses: readonly CompiledClause[]
  /** Undefined where all that its clauses match are in. */
  readonly share: { readonly bucketing: Bucketing; readonly below: number } | undefined
}

const badBucketBy: Malformed = { malformed: 'the attribute that a segment rule places contexts by is no reference' }

/** Makes a segment ready. */
export function compileSegment(data: SegmentData, compilePattern?: CompilePattern): CompiledSegment {
  const rules = (data.rules ?? []).map((rule) => compileRule(rule, data, compilePattern))
  const included = keyLists(data.includedContexts, data.included)
  const excluded = keyLists(data.excludedContexts, data.excluded)
  const nests = rules.some(({ clauses }) => clauses.some(({ segmentKeys }) => segmentKeys !== undefined))

  function matchesRules(evaluation: Evaluation, up: Chain | undefined): Verdict {
    const chain = nests ? chained(data.key, up) : undefined
    for (const rule of rules) {
      const verdict = ruleMatches(rule, evaluation, chain)
      if (verdict !== false) return verdict
    }
    return false
  }

  function decide(evaluation: Evaluation, up: Chain | undefined): Verdict {
    const listed = data.unbounded ? listedInBig(data, evaluation) : listedIn(included, excluded, evaluation.subject)
    return listed ?? matchesRules(evaluation, up)
  }

  function decideOnce(evaluation: Evaluation, up: Chain | undefined): Verdict {
    const done = (evaluation.segmentsDone ??= new Map())
    return once(evaluation, done, data.key, () => decide(evaluation, up)).outcome
  }

  return { data, included, excluded, rules, matches: nests ? decideOnce : decide }
}

function compileRule(
  data: SegmentRuleData,
  { key, salt }: SegmentData,
  compilePattern: CompilePattern | undefined,
): CompiledSegmentRule {
  const { bucketBy, rolloutContextKind: contextKind, weight } = data
  const share =
    typeof weight === 'number'
      ? { bucketing: bucketing({ prefix: `${key}.${salt ?? ''}`, bucketBy, contextKind }), below: weight / 100_000 }
      : undefined
  return { data, clauses: (data.clauses ?? []).map((clause) => compileClause(clause, compilePattern)), share }
}

/** Whether a context is among those that a rule takes; its clauses first, then its share. */
export function ruleMatches(
  { data, clauses, share }: CompiledSegmentRule,
  evaluation: Evaluation,
  segments: Chain | undefined,
): Verdict {
  if (!data.clauses) return false
  const verdict = allMatch(clauses, evaluation, segments)
  if (verdict !== true || !share) return verdict
  return share.bucketing.read ? placeOf(share.bucketing, evaluation.subject) < share.below : badBucketBy
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

/** Included wins over excluded, and both over rules; undefined where a context is in no list (D24). */
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

/** A big segment without a context of its kind has no member; one of unknown generation cannot be asked for. */
export function listedInBig(data: SegmentData, evaluation: Evaluation): boolean | undefined {
  const key = attributesOf(evaluation.subject, data.unboundedContextKind || 'user')?.key
  if (!key) return false
  if (!data.generation) {
    noteBigSegments(evaluation, 'NOT_CONFIGURED')
    return false
  }
  const membership = evaluation.bigSegments?.(key)
  noteBigSegments(evaluation, membership?.status ?? 'NOT_CONFIGURED')
  return membership?.lists.get(bigSegmentName(data))
}

/** How a big segment is named among memberships: another one under its key is another segment. */
export function bigSegmentName({ key, generation }: Pick<SegmentData, 'key' | 'generation'>): string {
  return `${key}.g${generation}`
}
