import type { EvaluationResult } from './evaluation-result.ts'
import type { ClauseData } from './flag-data.ts'

/** Result of an evaluation with all its steps. */
export interface EvaluationExplanation extends EvaluationResult {
  /** The steps of the flag. Undefined if the flag does not exist or the context is invalid. */
  readonly flag: FlagExplanation | undefined
  /** Reason why the context is invalid; undefined if it is valid. */
  readonly contextError: string | undefined
  /** The steps in words, one line for each step. */
  readonly text: string
}

/** Steps of the evaluation of one flag, up to the deciding one. */
export interface FlagExplanation {
  readonly key: string
  readonly version: number | undefined
  readonly on: boolean
  readonly outcome: EvaluationResult
  readonly prerequisites: readonly PrerequisiteExplanation[]
  /** Target that lists the context. */
  readonly target: { readonly contextKind: string; readonly contextKey: string } | undefined
  readonly rules: readonly RuleExplanation[]
  /** Variation that the default rule served, if no target and no rule matched. */
  readonly fallthrough: ServeExplanation | undefined
  /** True if the same explanation contains the steps of this flag earlier; they are not repeated. */
  readonly repeated?: true
}

/** Outcome of a prerequisite. */
export interface PrerequisiteExplanation {
  readonly key: string
  /** Variation that the prerequisite must serve. */
  readonly variation: number
  readonly met: boolean
  /** The steps of the prerequisite. Undefined if the flag does not exist, or if the prerequisites form a cycle. */
  readonly flag: FlagExplanation | undefined
  readonly isInCycle: boolean
}

/** Outcome of a rule of a flag. */
export interface RuleExplanation {
  /** Index of the rule, from 0. */
  readonly index: number
  readonly id: string | undefined
  readonly matched: boolean
  /** Clauses up to the first one that does not match. */
  readonly clauses: readonly ClauseExplanation[]
  /** Variation that the rule served; undefined if the rule does not match. */
  readonly serve: ServeExplanation | undefined
}

/** Outcome of a clause of a rule. */
export interface ClauseExplanation {
  readonly clause: ClauseData
  /** Value of the attribute; undefined if the context does not have it, and for a clause about segments. */
  readonly value: unknown
  readonly matched: boolean
  /** Reason why the clause could not be evaluated. */
  readonly malformed: string | undefined
  /** For `segmentMatch`: the segments up to the first one that matches. */
  readonly segments: readonly SegmentExplanation[]
}

/** Membership of a context in a segment, and the part of the segment that decided it. */
export interface SegmentExplanation {
  readonly key: string
  readonly matched: boolean
  /**
   * Part that decided: `list` contains the context, a `rule` matches, `nothing` matches, there is `no segment`, or the
   * rules form a `cycle`.
   */
  readonly decidedBy: 'list' | 'rule' | 'nothing' | 'no segment' | 'cycle'
  readonly rules: readonly SegmentRuleExplanation[]
  readonly repeated?: true
}

/** Outcome of a rule of a segment. */
export interface SegmentRuleExplanation {
  readonly index: number
  readonly matched: boolean
  readonly clauses: readonly ClauseExplanation[]
  readonly bucket: BucketExplanation | undefined
}

/** Variation that a rule or the default rule served. */
export interface ServeExplanation {
  readonly variationIndex: number | null
  /** Undefined if all contexts get the same variation. */
  readonly bucket: BucketExplanation | undefined
}

/** Bucket of a context in a rollout. */
export interface BucketExplanation {
  readonly contextKind: string
  /** True if there is a context of this kind; without one the bucket value is 0. */
  readonly hasContext: boolean
  /** Value from 0 to 1. */
  readonly value: number
  /** Upper bound of each variation's range, 0 to 1. */
  readonly ends: readonly number[]
}
