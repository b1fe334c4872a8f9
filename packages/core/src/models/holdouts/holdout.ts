import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import type { ExperimentMetric } from '../experiments/iteration.ts'

/** A part of the contexts of an environment that a set of experiments excludes. */
export interface Holdout extends Versioned {
  readonly id: string
  readonly key: string
  readonly environmentKey: string
  readonly name: string
  readonly description: string
  readonly maintainerId?: string
  /** Kind of the contexts. */
  readonly randomizationUnit: string
  readonly attributes: readonly string[]
  /** Percent of the contexts, 1 to 100, with at most three decimals. */
  readonly holdoutAmount: number
  /** The first one is the primary metric. */
  readonly metrics: readonly ExperimentMetric[]
  /** Key of the segment of the contexts. Rules of flags refer to it while experiments of the holdout run. */
  readonly segmentKey: string
  /** Integer ms, like the other times. */
  readonly endedAt?: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Declares that responses show a property inside `baseExperiment`. */
const inBase = (name: string) => (value: unknown) => ({ baseExperiment: { [name]: value } })

export const holdouts = documents<Holdout>()({
  name: 'holdout',
  address: 'proj/{projectKey}:env/{environmentKey}:holdout/{holdoutKey}',
  fields: ({ id, segmentKey }) => ({ id, segmentKey }),
  shown: {
    id: (id) => ({ _id: id, baseExperiment: { _id: id } }),
    key: inBase('key'),
    environmentKey: inBase('environmentKey'),
    name: inBase('name'),
    description: (description) => ({ description, baseExperiment: { description } }),
    maintainerId: inBase('_maintainerId'),
    randomizationUnit: inBase('randomizationUnit'),
    attributes: inBase('attributes'),
    holdoutAmount: (amount) => ({ holdoutAmount: String(amount) }),
    metrics: inBase('metrics'),
    segmentKey: null,
    endedAt: null,
    createdAt: (ms, { time }) => ({ createdAt: time(ms), baseExperiment: { _creationDate: time(ms) } }),
    updatedAt: shownTime('updatedAt'),
  },
  sentences: { changed: { endedAt: (_before, _after, { it }) => `ended ${it}` } },
  changes: {
    id: null,
    key: null,
    environmentKey: null,
    name: 'updateHoldout',
    description: 'updateHoldout',
    maintainerId: 'updateHoldout',
    randomizationUnit: null,
    attributes: null,
    holdoutAmount: null,
    metrics: null,
    segmentKey: null,
    endedAt: 'updateHoldout',
    createdAt: null,
    updatedAt: null,
  },
})

/** The keys in the path of a holdout. */
export interface HoldoutKeys {
  readonly projectKey: string
  readonly environmentKey: string
  readonly holdoutKey: string
}
