import { latenessMs } from '../../rules/measurement/lateness.ts'
import type { MeasuredUnit } from '../../rules/measurement/measured-unit.ts'
import type { MeasuredGroup, MetricDefinition } from '../../rules/measurement/metric-definition.ts'
import type { SumsOfUnits } from '../../rules/measurement/variation-sums.ts'
import { documents, type Versioned } from '../../storage/collection.ts'
import type { Condition, Fields } from '../../storage/port.ts'

/** A variation that a measurement compares. */
export interface MeasuredVariation {
  /** Id of the variation of a flag, or key of the variation of an AI config. */
  readonly id: string
  /** Index of the variation in evaluations. Events of SDKs contain this index. */
  readonly index: number
}

/** The rule by which evaluations expose units to a variation of a holdout, while an iteration runs. */
export interface ExposureSource {
  /** Key of the flag or AI config of the iteration. */
  readonly flagKey: string
  /** Id of the rule, or `fallthrough`. */
  readonly place: string
  /** Index in the variations of the measurement. */
  readonly variation: number
  /** Start of the iteration: integer ms, UTC. */
  readonly from: number
  /** End of the iteration: integer ms, UTC. Undefined while it runs. */
  readonly until?: number
}

/**
 * One comparison: of the variations of a flag or an AI config, or of the units in a holdout with all other units. The
 * resource that starts the measurement, such as an experiment, writes it in the commit that changes what the flag
 * serves. The same resource sets `endedAt` when the measurement stops. Events from `startedAt` to `endedAt` are counted
 * if they arrive up to a day later.
 */
export interface Measurement extends Versioned {
  /**
   * Id of the iteration of an experiment, of the stage of a guarded release, or of a holdout. A release that moves
   * units to another variation starts a new measurement, because a unit with more than one variation is left out of
   * results.
   */
  readonly id: string
  readonly kind: 'experiment' | 'guarded-release' | 'holdout'
  /** Undefined for a holdout, which can measure several flags and AI configs. */
  readonly flagKind?: 'flag' | 'ai-config'
  /** Key of the flag or of the AI config. Undefined for a holdout. */
  readonly flagKey?: string
  /** Context kind whose keys identify units. */
  readonly randomizationUnit: string
  /** Definitions at the time of the start. */
  readonly metrics: readonly MetricDefinition[]
  /** The metric groups at the time of the start. Undefined without groups. */
  readonly groups?: readonly MeasuredGroup[]
  readonly variations: readonly MeasuredVariation[]
  /** Ids of the rules, or `fallthrough`, whose evaluations expose units. Empty for a holdout. */
  readonly places: readonly string[]
  /** For a holdout: the rules of the iterations that run, or ended less than a day ago. */
  readonly sources?: readonly ExposureSource[]
  /** Attributes of contexts by which results are also shown. At most 10. */
  readonly attributes?: readonly MeasuredAttribute[]
  /** Integer ms, UTC. */
  readonly startedAt: number
  /**
   * Start of the time before `startedAt` whose events reduce the variance of results: integer ms, UTC. Undefined when
   * such events do not count.
   */
  readonly preFrom?: number
  /** Integer ms, UTC. Undefined while it runs. */
  readonly endedAt?: number
}

/** A top-level attribute of contexts of a kind. */
export interface MeasuredAttribute {
  readonly contextKind: string
  readonly attribute: string
}

export const measurements = documents<Measurement>()({
  name: 'measurement',
  // Recorded, because a past engine (`engine.at`) returns the results of experiments even if their environment was
  // deleted since.
  recorded: true,
  address: 'proj/{projectKey}:env/{environmentKey}:measurement/{measurementId}',
  fields: ({ flagKey, metrics, endedAt }) => ({
    ...(flagKey === undefined ? {} : { flagKey }),
    metricKeys: metrics.map(({ key }) => key),
    ...(endedAt === undefined ? {} : { endedAt }),
  }),
})

/**
 * The sums of a measurement: the current sums (`total`), and for each UTC day with events (e.g. `2026-11-23`) a copy
 * from the end of that day, without bins and attributes. Written by the intake of events.
 */
export interface MeasurementSums extends Versioned, SumsOfUnits {
  /** Time of the last write: integer ms, UTC. */
  readonly at: number
  /** Time of the last event of each metric: integer ms, UTC; 0 when there was none. */
  readonly lastEventAt: readonly number[]
}

export const measurementSums = documents<MeasurementSums>()({
  name: 'measurement-sums',
  address: 'proj/{projectKey}:env/{environmentKey}:measurement/{measurementId}:sums/{part}',
})

/** A unit of a measurement. Written by the intake of events, and removed some time after the measurement has ended. */
export interface StoredUnit extends Versioned, MeasuredUnit {
  /** Time of the last event of a unit without exposure: integer ms, UTC. */
  readonly waitingSince?: number
  /** Time until which a unit without exposure is kept for its events before the measurement: integer ms, UTC. */
  readonly keptUntil?: number
}

export const measuredUnits = documents<StoredUnit>()({
  name: 'measured-unit',
  address: 'proj/{projectKey}:env/{environmentKey}:measurement/{measurementId}:unit/{unitId}',
  fields: ({ waitingSince, keptUntil }): Fields => ({
    ...(waitingSince === undefined ? {} : { waitingSince }),
    ...(keptUntil === undefined ? {} : { keptUntil }),
  }),
})

/** Returns the condition for measurements that count events at a time: those that run, or ended less than a day ago. */
export function countingAt(now: number): Condition {
  return {
    op: 'or',
    any: [
      { op: 'exists', field: 'endedAt', value: false },
      { op: 'range', field: 'endedAt', from: now - latenessMs },
    ],
  }
}
