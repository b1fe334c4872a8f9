import type { Serve } from '../../rules/targeting/serve.ts'

export const iterationStatuses = ['not_started', 'running', 'stopped'] as const

export type IterationStatus = (typeof iterationStatuses)[number]

/** One period of an experiment. Its design cannot be changed. */
export interface Iteration {
  readonly id: string
  readonly status: IterationStatus
  readonly hypothesis: string
  /** Integer ms, like the other times. */
  readonly createdAt: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly winningTreatmentId?: string
  readonly winningReason?: string
  readonly changeJustification?: string
  /** False when contexts stay in their variation from one iteration to the next. */
  readonly canReshuffleTraffic: boolean
  readonly subject: ExperimentSubject
  /** Id of the rule, or `fallthrough`. */
  readonly ruleId: string
  /**
   * Version of the flag's configuration. Before the start it is the version for which the iteration was made; the start
   * replaces it by the version at that time.
   */
  readonly flagConfigVersion: number
  /** Variation of the contexts that match the rule and are not in the experiment. */
  readonly notInExperimentVariationId: string
  /** Kind of the contexts that get a treatment. */
  readonly randomizationUnit: string
  /** Attributes of contexts by which results can be split. */
  readonly attributes: readonly string[]
  /** The first one is the primary metric. */
  readonly metrics: readonly ExperimentMetric[]
  readonly treatments: readonly Treatment[]
  /** Set when the iteration starts. */
  readonly serving?: IterationServing
  /** Set when an iteration in a layer stops. */
  readonly layerSnapshot?: LayerSnapshot
}

/** The flag or AI config whose variations an experiment compares. */
export interface ExperimentSubject {
  readonly kind: 'flag' | 'aiconfig'
  readonly key: string
}

/** A metric or a metric group that an iteration measures. */
export interface ExperimentMetric {
  readonly key: string
  readonly isGroup: boolean
}

/** A variation in an experiment. */
export interface Treatment {
  readonly id: string
  readonly name: string
  /** True for the treatment with which the others are compared. */
  readonly baseline: boolean
  /** Percent of the contexts, 0 to 100, with at most three decimals. */
  readonly allocationPercent: number
  readonly variationId: string
}

/** The changes that an iteration made in the targeting of its subject. */
export interface IterationServing {
  /** Hashed with the keys of contexts. */
  readonly seed: number
  /** The variation or rollout of the rule before the iteration. */
  readonly before: Serve
  /** Id of the rule for the contexts of the holdout. */
  readonly holdoutRuleId?: string
  /** Expected share of the contexts of the rule whose variation changed when the iteration started, 0 to 1. */
  readonly movedShare?: number
}

/** The share of an iteration in the traffic of its layer. */
export interface LayerSnapshot {
  readonly key: string
  readonly name: string
  readonly reservationPercent: number
  readonly otherReservationPercent: number
}

/** Returns the allocations of the treatments, in percent. */
export function allocationsOf({ treatments }: Iteration): number[] {
  return treatments.map(({ allocationPercent }) => allocationPercent)
}
