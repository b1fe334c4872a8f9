import type { ReadAttribute } from './attribute-reference.ts'
import type { Bucketing } from './bucket.ts'
import type { CompiledOnDemand } from './compiled-on-demand.ts'
import type { CompiledServe } from './compiled-serve.ts'
import type { BigSegmentsStatus, EvaluationResult } from './evaluation-result.ts'
import type { ClauseData, FlagData, FlagRuleData, SegmentData, SegmentRuleData } from './flag-data.ts'
import type { LayeredMap } from './layered-map.ts'
import type { CompilePattern } from './safe-pattern.ts'
import type { Subject } from './subject.ts'

/**
 * All flags and segments of an environment. Immutable: a change creates another ruleset. A flag is compiled when it is
 * first evaluated, because a program evaluates few of its flags: ten thousand flags take a few milliseconds to load,
 * and flags that are never evaluated take no memory beyond their data.
 */
export interface Ruleset {
  readonly flags: LayeredMap<CompiledOnDemand<FlagData, CompiledFlag>>
  readonly segments: LayeredMap<CompiledOnDemand<SegmentData, CompiledSegment>>
  /** Compiles patterns that could be slow to search. Without it, such a pattern does not match. */
  readonly compilePattern?: CompilePattern
}

/** A flag that is prepared for evaluation. */
export interface CompiledFlag {
  readonly data: FlagData
  /** Outcome while the flag is off. */
  readonly off: EvaluationResult
  readonly prerequisites: readonly CompiledPrerequisite[]
  /** Targets in the order in which they are evaluated. */
  readonly targets: readonly TargetList[]
  readonly rules: readonly CompiledRule[]
  readonly fallthrough: CompiledServe
}

export interface CompiledPrerequisite {
  readonly key: string
  readonly variation: number
  /** Outcome if the prerequisite is not met. */
  readonly failed: EvaluationResult
}

/** Outcomes by context key, for contexts of one kind that are targeted individually. */
export interface TargetList {
  readonly contextKind: string
  readonly outcomes: ReadonlyMap<string, EvaluationResult>
}

export interface CompiledRule {
  readonly data: FlagRuleData
  readonly clauses: readonly CompiledClause[]
  readonly serve: CompiledServe
}

/** A segment that is prepared for evaluation. */
export interface CompiledSegment {
  readonly data: SegmentData
  /** Lists of keys by context kind. */
  readonly included: readonly KeyList[]
  readonly excluded: readonly KeyList[]
  readonly rules: readonly CompiledSegmentRule[]
  /**
   * Returns true if the segment contains the context of an evaluation, or the reason why its data are malformed.
   *
   * @param parent chain of the segments whose rules refer to this segment.
   */
  matches(evaluation: Evaluation, parent: Chain | undefined): Verdict
}

export interface KeyList {
  readonly contextKind: string
  readonly keys: ReadonlySet<string>
}

export interface CompiledSegmentRule {
  readonly data: SegmentRuleData
  readonly clauses: readonly CompiledClause[]
  /** The share of the matching contexts that the segment contains; undefined if it contains all of them. */
  readonly share: { readonly bucketing: Bucketing; readonly threshold: number } | undefined
}

/** A clause that is prepared for evaluation. */
export interface CompiledClause {
  readonly data: ClauseData
  /** Keys of the segments that the clause refers to; undefined for any operator other than `segmentMatch`. */
  readonly segmentKeys: readonly string[] | undefined
  /**
   * Reads the attribute of a context. Undefined if the attribute name is not a valid reference, and for `segmentMatch`.
   */
  readonly read: ReadAttribute | undefined
  /**
   * Returns true if the clause matches the context of an evaluation.
   *
   * @param segments chain of segments whose rules contain the clause.
   */
  matches(evaluation: Evaluation, segments: Chain | undefined): Verdict
}

/**
 * Looks up which big segments list a context. The caller reads them in advance, because evaluation is synchronous and
 * cannot query a store.
 *
 * @param contextKey key of the context of the segment's kind.
 * @returns undefined if the memberships have not been looked up.
 */
export type BigSegmentLookup = (contextKey: string) => BigSegmentMembership | undefined

/** The big segments that list a context, with the status of the lookup. */
export interface BigSegmentMembership {
  readonly status: Exclude<BigSegmentsStatus, 'NOT_CONFIGURED'>
  /**
   * Keyed by `<segment key>.g<generation>`: true if the context is included, false if it is excluded. The rules decide
   * for segments that are absent.
   */
  readonly lists: ReadonlyMap<string, boolean>
}

/** State of one evaluation. */
export interface Evaluation {
  readonly ruleset: Ruleset
  readonly subject: Subject
  readonly bigSegments: BigSegmentLookup | undefined
  /** Worst status so far; undefined until a big segment is looked up. */
  bigSegmentsStatus: BigSegmentsStatus | undefined
  /**
   * Outcomes of prerequisites and of segments that refer to segments: without them, a dense graph would be traversed
   * once for each path through it, and the number of paths is exponential.
   */
  flagOutcomes: Map<string, MemoizedOutcome<EvaluationResult>> | undefined
  segmentOutcomes: Map<string, MemoizedOutcome<Verdict>> | undefined
}

/** Outcome of a flag or segment, with the status of the big segments that it depends on. */
export interface MemoizedOutcome<T> {
  readonly outcome: T
  readonly bigSegmentsStatus: BigSegmentsStatus | undefined
}

/** Creates the state of an evaluation. */
export function beginEvaluation(
  ruleset: Ruleset,
  subject: Subject,
  bigSegments: BigSegmentLookup | undefined,
): Evaluation {
  return {
    ruleset,
    subject,
    bigSegments,
    bigSegmentsStatus: undefined,
    flagOutcomes: undefined,
    segmentOutcomes: undefined,
  }
}

/** Linked list of the flags or segments whose evaluation led to the current one. */
export interface Chain {
  readonly key: string
  readonly depth: number
  readonly parent: Chain | undefined
}

/** Maximum length of a chain, so that no chain exhausts the stack. */
export const maxNesting = 200

export function extendChain(key: string, parent: Chain | undefined): Chain {
  return { key, depth: parent === undefined ? 1 : parent.depth + 1, parent }
}

/** Returns true if adding a key to a chain would close a cycle or make the chain too long. */
export function closesCycle(chain: Chain | undefined, key: string): boolean {
  if (chain === undefined) return false
  if (chain.depth >= maxNesting) return true
  for (let link: Chain | undefined = chain; link; link = link.parent) if (link.key === key) return true
  return false
}

/** True if something matches, false if it does not, or the reason why that cannot be decided. */
export type Verdict = boolean | MalformedReason

export interface MalformedReason {
  readonly malformed: string
}

const severity: Readonly<Record<BigSegmentsStatus, number>> = {
  HEALTHY: 1,
  STALE: 2,
  STORE_ERROR: 3,
  NOT_CONFIGURED: 4,
}

/** Records the status of a big segment that was looked up; the worst status counts. */
export function recordBigSegmentsStatus(evaluation: Evaluation, status: BigSegmentsStatus): void {
  const { bigSegmentsStatus: current } = evaluation
  if (current === undefined || severity[status] > severity[current]) evaluation.bigSegmentsStatus = status
}

/**
 * Runs `work` once per evaluation and key; each call also records the status of the big segments that the outcome
 * depends on.
 */
export function memoize<T>(
  evaluation: Evaluation,
  memo: Map<string, MemoizedOutcome<T>>,
  key: string,
  work: () => T,
): MemoizedOutcome<T> {
  let entry = memo.get(key)
  if (!entry) {
    const before = evaluation.bigSegmentsStatus
    evaluation.bigSegmentsStatus = undefined
    entry = { outcome: work(), bigSegmentsStatus: evaluation.bigSegmentsStatus }
    evaluation.bigSegmentsStatus = before
    memo.set(key, entry)
  }
  if (entry.bigSegmentsStatus !== undefined) recordBigSegmentsStatus(evaluation, entry.bigSegmentsStatus)
  return entry
}
