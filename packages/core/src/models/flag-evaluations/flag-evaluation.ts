import { documents, type Versioned } from '../../storage/collection.ts'

/** Time of the latest evaluation of a flag in an environment. */
export interface FlagUse extends Versioned {
  /** Integer ms, UTC. */
  readonly lastRequested: number
  /**
   * Times of the latest evaluations for contexts of a kind, by kind: integer ms, UTC. A kind is removed when the flag
   * was not evaluated for it during {@link contextKindsMs}. Absent when no SDK has reported kinds.
   */
  readonly contextKinds?: Readonly<Record<string, number>>
}

/** Time for which the kinds of evaluated contexts are stored, in ms. */
export const contextKindsMs = 30 * 24 * 60 * 60 * 1000

export const flagUses = documents<FlagUse>()({
  name: 'flag-use',
  address: 'proj/{projectKey}:env/{environmentKey}:flag-use/{flagKey}',
  // Kinds are sorted by name, so that an imported document gets the same fields. Its properties can have another order.
  fields: ({ lastRequested, contextKinds = {} }) => ({ lastRequested, contextKinds: Object.keys(contextKinds).sort() }),
})

/** Number of evaluations of a flag in an environment in one hour. Deleted with the flag. */
export interface EvaluationHour extends Versioned {
  /** Start of the hour: integer ms, UTC. */
  readonly from: number
  /**
   * Counts by the index of the variation, or {@link fallbackName} for evaluations that returned the caller's default.
   */
  readonly counts: Readonly<Record<string, number>>
}

/** Name of the count without a variation. */
export const fallbackName = 'default'

export const evaluationHours = documents<EvaluationHour>()({
  name: 'evaluation-hour',
  address: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}:evaluation-hour/{from}',
  fields: ({ from }) => ({ from }),
})

/** A report of an SDK that was counted. It is stored by its id, so that a repetition is not counted again. */
export interface EvaluationReport extends Versioned {
  /** Integer ms, UTC. */
  readonly at: number
}

export const evaluationReports = documents<EvaluationReport>()({
  name: 'evaluation-report',
  address: 'proj/{projectKey}:env/{environmentKey}:evaluation-report/{reportId}',
  fields: ({ at }) => ({ at }),
})

/** Time since which evaluations of an environment are counted. Stored with the first report. */
export interface EvaluationCountingStart extends Versioned {
  /** Integer ms, UTC. */
  readonly since: number
}

export const evaluationCountingStarts = documents<EvaluationCountingStart>()({
  name: 'evaluation-counting',
  address: 'proj/{projectKey}:env/{environmentKey}:evaluation-counting/{what}',
  fields: ({ since }) => ({ since }),
})

/** Key of the only document of {@link evaluationCountingStarts} in an environment. */
export const evaluationsKeys = { what: 'evaluations' }

/** Length of an hour in ms. */
export const hourMs = 60 * 60 * 1000

/** Retention time of the counts of an hour, in ms. */
export const hourRetentionMs = 90 * 24 * hourMs

/** Time during which an SDK may repeat a report, in ms. */
export const reportRetentionMs = hourMs
