import { userKind } from '../../rules/targeting/clause.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import { projects } from '../projects/project.ts'

/** The units by which the experiments of a project randomize. */
export interface ExperimentationSettings extends Versioned {
  readonly randomizationUnits: readonly RandomizationUnit[]
  readonly createdAt: number
}

/** A kind of context by which experiments can randomize. */
export interface RandomizationUnit {
  /** Key of the context kind. */
  readonly randomizationUnit: string
  /** True for the unit of experiments that do not choose one. Exactly one unit is the default. */
  readonly default: boolean
}

const project = 'proj/{projectKey}'

export const experimentationSettings = documents<ExperimentationSettings>()({
  name: 'experimentation-settings',
  address: `${project}:experimentation-settings/current`,
  policyAddress: project,
  shown: { createdAt: shownTime('_creationDate') },
  partOf: projects,
  sentences: { name: (_, whole) => `the experimentation settings of ${whole}` },
  changes: { randomizationUnits: 'updateExperimentationSettings', createdAt: null },
})

/**
 * Returns the settings of a project in which they were never changed.
 *
 * @param createdAt time of creation of the project.
 */
export function defaultExperimentationSettings(createdAt: number): ExperimentationSettings {
  return { version: 0, randomizationUnits: [{ randomizationUnit: userKind, default: true }], createdAt }
}
