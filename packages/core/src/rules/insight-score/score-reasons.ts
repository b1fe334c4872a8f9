import type { Rating } from './rating.ts'
import type { Indicator, InputUnit, ScoreMetric, ScoreName } from './score-table.ts'

/** An input of a score. */
export interface InputExplanation extends Rating {
  readonly metric: ScoreMetric
  readonly unit: InputUnit
  /** Absent if there is no input. */
  readonly value?: number
}

/** The smallest change of one input that is enough for a better tier. */
export interface ScoreStep {
  readonly metric: ScoreMetric
  readonly unit: InputUnit
  readonly from: number
  /** The worst value of the input that is enough for the better tier. */
  readonly to: number
  /** Number of points by which the metric's own score has to grow. */
  readonly points: number
}

/** Numbers that explain a score. */
export interface ScoreReasons extends Rating {
  readonly name: ScoreName
  /** Metrics of the aggregate, or the metric itself. */
  readonly inputs: readonly InputExplanation[]
  /** The next better tier; absent at the best tier, and without a score. */
  readonly next?: {
    readonly indicator: Indicator
    readonly score: number
    /** Absent if no single metric is enough. */
    readonly step?: ScoreStep
  }
}
