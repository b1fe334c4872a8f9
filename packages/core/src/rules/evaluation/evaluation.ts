import type { CompiledFlag } from './compiled-flag.ts'
import type { CompiledSegment } from './compiled-segment.ts'
import type { BigSegmentsStatus, Evaluated } from './evaluated.ts'
import type { FlagData, SegmentData } from './flag-data.ts'
import type { LayeredMap } from './layered-map.ts'
import type { Lazy } from './lazily.ts'
import type { CompilePattern } from './safe-pattern.ts'
import type { Subject } from './subject.ts'

/**
 * All flags and segments of an environment. Never changed: a change makes another one. Each is made ready when it is first
 * evaluated, as a program asks for a few of its flags: ten thousand take a few milliseconds, and what nobody asks for takes
 * no memory but its data.
 */
export interface Ruleset {
  readonly flags: LayeredMap<LazyFlag>
  readonly segments: LayeredMap<LazySegment>
  /** Compiles patterns that could be slow; without it such a search does not match. */
  readonly compilePattern?: CompilePattern
}

/** A flag as SDKs are sent it, which is made ready when somebody asks. */
export interface LazyFlag extends Lazy<CompiledFlag> {
  readonly data: FlagData
}

/** The same of a segment. */
export interface LazySegment extends Lazy<CompiledSegment> {
  readonly data: SegmentData
}

/**
 * Looks up which big segments list a context, as evaluation is synchronous and cannot ask a store.
 *
 * @param contextKey of the kind that the segment is about.
 * @returns undefined where nobody has looked.
 */
export type BigSegments = (contextKey: string) => BigSegmentMembership | undefined

/** Which big segments list a context, as far as anybody has looked. */
export interface BigSegmentMembership {
  readonly status: Exclude<BigSegmentsStatus, 'NOT_CONFIGURED'>
  /**
   * By `<segment key>.g<generation>`: true for a context that is included, false for one that is excluded. Where a segment
   * is not named its rules decide.
   */
  readonly lists: ReadonlyMap<string, boolean>
}

/** One evaluation under way. */
export interface Evaluation {
  readonly ruleset: Ruleset
  readonly subject: Subject
  readonly bigSegments: BigSegments | undefined
  /** The worst so far; undefined while no big segment was asked. */
  bigSegmentsStatus: BigSegmentsStatus | undefined
  /**
   * What prerequisites came to, and segments that refer to segments: a net of them would otherwise be walked once for
   * each way through it, and those are exponentially many.
   */
  flagsDone: Map<string, Done<Evaluated>> | undefined
  segmentsDone: Map<string, Done<Verdict>> | undefined
}

/** What something came to, and how sure that is of big segments. */
export interface Done<T> {
  readonly outcome: T
  readonly bigSegmentsStatus: BigSegmentsStatus | undefined
}

/** Begins an evaluation. */
export function beginEvaluation(ruleset: Ruleset, subject: Subject, bigSegments: BigSegments | undefined): Evaluation {
  return { ruleset, subject, bigSegments, bigSegmentsStatus: undefined, flagsDone: undefined, segmentsDone: undefined }
}

/** The flags or segments whose evaluation led to where it is. */
export interface Chain {
  readonly key: string
  readonly depth: number
  readonly up: Chain | undefined
}

/** No chain is longer, so that none exhausts the stack. */
export const mostNested = 200

export function chained(key: string, up: Chain | undefined): Chain {
  return { key, depth: up === undefined ? 1 : up.depth + 1, up }
}

/** Whether a chain would go in a circle, or too deep. */
export function closesCircle(chain: Chain | undefined, key: string): boolean {
  if (chain === undefined) return false
  if (chain.depth >= mostNested) return true
  for (let link: Chain | undefined = chain; link; link = link.up) if (link.key === key) return true
  return false
}

/** Whether something matches, or why that cannot be said. */
export type Verdict = boolean | Malformed

export interface Malformed {
  readonly malformed: string
}

const severity: Readonly<Record<BigSegmentsStatus, number>> = {
  HEALTHY: 1,
  STALE: 2,
  STORE_ERROR: 3,
  NOT_CONFIGURED: 4,
}

/** Notes how a big segment was asked; the worst counts. */
export function noteBigSegments(evaluation: Evaluation, status: BigSegmentsStatus): void {
  const { bigSegmentsStatus: known } = evaluation
  if (known === undefined || severity[status] > severity[known]) evaluation.bigSegmentsStatus = status
}

/** Does something once in an evaluation; each time it counts how the big segments were asked that it stands on. */
export function once<T>(evaluation: Evaluation, done: Map<string, Done<T>>, key: string, work: () => T): Done<T> {
  let known = done.get(key)
  if (!known) {
    const before = evaluation.bigSegmentsStatus
    evaluation.bigSegmentsStatus = undefined
    known = { outcome: work(), bigSegmentsStatus: evaluation.bigSegmentsStatus }
    evaluation.bigSegmentsStatus = before
    done.set(key, known)
  }
  if (known.bigSegmentsStatus !== undefined) noteBigSegments(evaluation, known.bigSegmentsStatus)
  return known
}
