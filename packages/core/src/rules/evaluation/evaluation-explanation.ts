import type { Evaluated } from './evaluated.ts'
import type { ClauseData } from './flag-data.ts'

/** The whole way of an evaluation. */
export interface EvaluationExplanation extends Evaluated {
  /** Undefined where there is no such flag or no context. */
  readonly flag: FlagExplanation | undefined
  /** What is wrong with the context, if it is none. */
  readonly contextFault: string | undefined
  /** The way in words, a line for each step. */
  readonly text: string
}

/** How one flag was evaluated, as far as it was looked at. */
export interface FlagExplanation {
  readonly key: string
  readonly version: number | undefined
  readonly on: boolean
  readonly outcome: Evaluated
  readonly prerequisites: readonly PrerequisiteExplanation[]
  /** The target that named the context. */
  readonly target: { readonly contextKind: string; readonly contextKey: string } | undefined
  readonly rules: readonly RuleExplanation[]
  /** What was served where no target and no rule matched. */
  readonly fallthrough: ServeExplanation | undefined
  /** Told before in the same explanation, and not once more. */
  readonly repeated?: true
}

/** How a flag came out that another one needs. */
export interface PrerequisiteExplanation {
  readonly key: string
  /** The variation that is needed. */
  readonly variation: number
  readonly met: boolean
  /** Undefined for a flag that there is not, and where the prerequisites go in a circle. */
  readonly flag: FlagExplanation | undefined
  readonly circle: boolean
}

/** How a rule of a flag came out. */
export interface RuleExplanation {
  /** From 0. */
  readonly index: number
  readonly id: string | undefined
  readonly matched: boolean
  /** Up to the first that does not match. */
  readonly clauses: readonly ClauseExplanation[]
  /** What it served, if it matched. */
  readonly serve: ServeExplanation | undefined
}

/** How a clause of a rule came out. */
export interface ClauseExplanation {
  readonly clause: ClauseData
  /** What the context has; undefined where it has none, and for segments. */
  readonly value: unknown
  readonly matched: boolean
  /** Why it could not be said whether it matches. */
  readonly malformed: string | undefined
  /** Of `segmentMatch`: the segments up to the first that matches. */
  readonly segments: readonly SegmentExplanation[]
}

/** Whether a segment has a context, and what decided it. */
export interface SegmentExplanation {
  readonly key: string
  readonly matched: boolean
  /** What decided: `list` names the context, `rule`, `nothing` named it, there is `no segment`, or rules go in a `circle`. */
  readonly by: 'list' | 'rule' | 'nothing' | 'no segment' | 'circle'
  readonly rules: readonly SegmentRuleExplanation[]
  readonly repeated?: true
}

/** How a rule of a segment came out. */
export interface SegmentRuleExplanation {
  readonly index: number
  readonly matched: boolean
  readonly clauses: readonly ClauseExplanation[]
  readonly bucket: BucketExplanation | undefined
}

/** What a rule or the default rule served. */
export interface ServeExplanation {
  readonly variationIndex: number | null
  /** Undefined where all contexts get the same. */
  readonly bucket: BucketExplanation | undefined
}

/** How a context was placed by chance. */
export interface BucketExplanation {
  readonly contextKind: string
  /** Whether there is a context of that kind; without one the place is 0. */
  readonly hasContext: boolean
  /** 0 to 1. */
  readonly place: number
  /** Where each share ends, 0 to 1. */
  readonly ends: readonly number[]
}
