import { prePeriodMs } from '../../rules/measurement/pre-period.ts'
import { type Subject, shortName, switchSentence } from '../../rules/sentences/sentence.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import type { Iteration } from './iteration.ts'
import { shownIterations } from './shown-iterations.ts'

/** An experiment: a comparison of variations of a flag or an AI config in one environment. */
export interface Experiment extends Versioned {
  readonly id: string
  readonly key: string
  readonly environmentKey: string
  readonly name: string
  readonly description: string
  readonly maintainerId?: string
  /** Id of the holdout whose contexts are in no iteration of the experiment. */
  readonly holdoutId?: string
  readonly archived: boolean
  /** Integer ms. */
  readonly archivedAt?: number
  /**
   * The iterations in the order of their creation. At most one iteration is running. Only the last iteration can be one
   * that has not started.
   */
  readonly iterations: readonly Iteration[]
  /** Integer ms. */
  readonly createdAt: number
}

/** Returns sentences about the changes of the iterations of an experiment. */
export function iterationSentences(before: Experiment, after: Experiment, { it }: Subject): string[] {
  const statuses = new Map(before.iterations.map(({ id, status }) => [id, status]))
  const changed = after.iterations.filter(({ id, status }) => statuses.get(id) !== status)
  const sentences = changed.map(({ status, winningTreatmentId, treatments }) => {
    const winner = treatments.find(({ id }) => id === winningTreatmentId)
    if (status === 'not_started') return `added an iteration to ${it}`
    if (status === 'running') return `started an iteration of ${it}`
    return winner
      ? `ended the iteration of ${it} with the winner ${shortName(winner.name)}`
      : `ended the iteration of ${it}`
  })
  return sentences.length > 0 ? sentences : [`changed the iterations of ${it}`]
}

export const experiments = documents<Experiment>()({
  name: 'experiment',
  address: 'proj/{projectKey}:env/{environmentKey}:experiment/{experimentKey}',
  fields: ({ name, archived, holdoutId, iterations }) => ({
    name,
    archived,
    holdoutId: holdoutId ?? null,
    statuses: distinct(iterations.map(({ status }) => status)),
    flagKeys: distinct(iterations.map(({ subject }) => subject.key)),
    metricKeys: distinct(iterations.flatMap(({ metrics }) => metrics.map(({ key }) => key))),
    running: iterations.filter(({ status }) => status === 'running').map(({ subject }) => subject.key),
  }),
  shown: {
    id: '_id',
    maintainerId: '_maintainerId',
    archived: null,
    archivedAt: shownTime('archivedDate'),
    iterations: shownIterations,
    createdAt: shownTime('_creationDate'),
  },
  sentences: {
    changed: {
      archived: switchSentence(
        'archived',
        ({ it }) => `archived ${it}`,
        ({ it }) => `restored ${it}`,
      ),
      iterations: iterationSentences,
      maintainerId: (_before, { maintainerId }, { it, nameOf }) =>
        maintainerId === undefined
          ? `removed the maintainer of ${it}`
          : `made ${nameOf('member', maintainerId)} the maintainer of ${it}`,
      holdoutId: (_before, { holdoutId }, { it }) =>
        holdoutId === undefined ? `removed ${it} from its holdout` : `added ${it} to a holdout`,
    },
  },
  changes: {
    id: null,
    key: null,
    environmentKey: null,
    name: 'updateExperiment',
    description: 'updateExperiment',
    maintainerId: 'updateExperiment',
    holdoutId: 'updateExperiment',
    archived: 'updateExperimentArchived',
    archivedAt: null,
    iterations: 'updateExperiment',
    createdAt: null,
  },
})

/** The keys in the path of an experiment. */
export interface ExperimentKeys {
  readonly projectKey: string
  readonly environmentKey: string
  readonly experimentKey: string
}

/** Returns the iteration that is running. */
export function runningIteration({ iterations }: Experiment): Iteration | undefined {
  return iterations.find(({ status }) => status === 'running')
}

/** Returns the iteration that has not started. */
export function draftIteration({ iterations }: Experiment): Iteration | undefined {
  return iterations.find(({ status }) => status === 'not_started')
}

/**
 * Returns the start of the period before an iteration. The events of this period reduce the variance of the results.
 * The period contains no part of an earlier iteration, because its treatments changed the behavior of units.
 *
 * @param startedAt start of the iteration: integer ms, UTC.
 * @returns integer ms, UTC; undefined while an iteration is running.
 */
export function preStart(experiment: Experiment, startedAt: number): number | undefined {
  if (runningIteration(experiment)) return undefined
  return Math.max(startedAt - prePeriodMs, ...experiment.iterations.map(({ endedAt = 0 }) => endedAt))
}

/** Returns the experiment with a changed iteration. */
export function withIteration(experiment: Experiment, changed: Iteration): Experiment {
  const iterations = experiment.iterations.map((iteration) => (iteration.id === changed.id ? changed : iteration))
  return { ...experiment, iterations }
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}
