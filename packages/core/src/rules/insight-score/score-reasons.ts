import type { Rated } from './rated.ts'
import type { Indicator, InputUnit, ScoreMetric, ScoreName } from './score-table.ts'

/** What went into a score. */
export interface ExplainedInput extends Rated {
  readonly metric: ScoreMetric
  readonly unit: InputUnit
  /** Left out where there is none. */
  readonly value?: number
}

/** The smallest change of one input that is enough for a better tier. */
export interface ScoreStep {
  readonly metric: ScoreMetric
  readonly unit: InputUnit
  readonly from: number
  /** The worst value that is enough. */
  readonly to: number
  /** By how much the metric's own score has to grow. */
  readonly points: number
}

/** Why a score is what it is, in numbers. */
export interface ScoreReasons extends Rated {
  readonly name: ScoreName
  /** The metrics below it, or itself. */
  readonly inputs: readonly ExplainedInput[]
  /** The next better tier; left out at the best, and without a score. */
  readonly next?: {
    readonly indicator: Indicator
    readonly score: number
    /** Left out where no single metric is enough. */
    readonly step?: ScoreStep
  }
}
