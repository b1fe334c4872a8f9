/** An estimated relative difference from the control, as a share: 0.1 is 10 percent more. */
export interface LiftInterval {
  readonly lower: number
  readonly estimate: number
  readonly upper: number
}

/** The difference of one variation from the control in one metric. */
export interface VariationLift extends LiftInterval {
  readonly variation: string
  readonly verdict: 'better' | 'worse' | 'inconclusive'
}

/** Differences of all variations from the control in one metric. */
export interface MetricLifts {
  readonly metric: string
  readonly variations: readonly VariationLift[]
}

/** The cumulative difference of one variation from the control. */
export interface LiftSeries {
  readonly variation: string
  /** One point for each time: the difference that was measured from the start until `time`, Unix ms. */
  readonly points: readonly (LiftInterval & { readonly time: number })[]
}

/** Results of an experiment, as a chart shows them. */
export interface ExperimentChart {
  readonly metrics: readonly MetricLifts[]
  /** Name of the metric whose cumulative difference is drawn, and its differences over time. */
  readonly overTime?: { readonly metric: string; readonly series: readonly LiftSeries[] }
}

/** One stage of a release. */
export interface ReleaseStageBar {
  /** Share of contexts that get the new variation, 0 to 1. */
  readonly share: number
  /** Unix ms. */
  readonly startedAt: number
  /** Unix ms; for the current stage, the time of the chart. */
  readonly endedAt: number
  /** Time of the next step, Unix ms, when the current stage has one. */
  readonly plannedUntil?: number
  readonly state: StageState
}

/**
 * State of a stage: `completed`, or `planned` when it has not begun. The stage that the release reached last has the
 * status of the release; `current` means that the release is running.
 */
export type StageState = 'completed' | 'current' | 'held' | 'stopped' | 'rolled-back' | 'planned'

/** A progressive or guarded release, as a chart shows it. */
export interface ReleaseChart {
  readonly stages: readonly ReleaseStageBar[]
  /** Differences of the new variation from the old one; empty for a release without metrics. */
  readonly metrics: readonly MetricLifts[]
}
