import { documents, type Versioned } from '../../storage/collection.ts'

/** When a flag was evaluated in an environment the last time. */
export interface FlagUse extends Versioned {
  /** Integer ms, UTC. */
  readonly lastRequested: number
}

export const flagUses = documents<FlagUse>()({
  name: 'flag-use',
  address: 'proj/{projectKey}:env/{environmentKey}:flag-use/{flagKey}',
  fields: ({ lastRequested }) => ({ lastRequested }),
})

/** How often a flag was evaluated in an environment in one hour. It goes with the flag. */
export interface EvaluationHour extends Versioned {
  /** When the hour began: integer ms, UTC. */
  readonly from: number
  /** By the index of the variation; {@link fallbackServed} where callers got their own default. */
  readonly counts: Readonly<Record<string, number>>
}

/** Stands for no variation. */
export const fallbackServed = 'default'

export const evaluationHours = documents<EvaluationHour>()({
  name: 'evaluation-hour',
  address: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}:evaluation-hour/{from}',
  fields: ({ from }) => ({ from }),
})

/** A report of an SDK that has been counted, under the id that the SDK gave it: one that comes again is not. */
export interface EvaluationReport extends Versioned {
  /** Integer ms, UTC. */
  readonly at: number
}

export const evaluationReports = documents<EvaluationReport>()({
  name: 'evaluation-report',
  address: 'proj/{projectKey}:env/{environmentKey}:evaluation-report/{reportId}',
  fields: ({ at }) => ({ at }),
})

/** That evaluations are counted in an environment: there once the first report came. */
export interface EvaluationCounting extends Versioned {
  /** Integer ms, UTC. */
  readonly since: number
}

export const evaluationCountings = documents<EvaluationCounting>()({
  name: 'evaluation-counting',
  address: 'proj/{projectKey}:env/{environmentKey}:evaluation-counting/{what}',
  fields: ({ since }) => ({ since }),
})

/** The one thing that is counted, for the address. */
export const counted = { what: 'evaluations' }

/** How long an hour is, ms. */
export const hourMs = 60 * 60 * 1000

/** How long the counts of an hour are kept, ms. */
export const hoursKeptMs = 90 * 24 * hourMs

/** How long an SDK may try to send a report again, ms. */
export const reportsKeptMs = hourMs
