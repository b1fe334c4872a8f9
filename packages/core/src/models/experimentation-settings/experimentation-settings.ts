import { userKind } from '../../rules/targeting/clause.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** How the experiments of a project draw lots. */
export interface ExperimentationSettings extends Versioned {
  readonly randomizationUnits: readonly RandomizationUnit[]
  readonly createdAt: number
}

/** A kind of context that experiments can randomize by. */
export interface RandomizationUnit {
  /** Key of the context kind. */
  readonly randomizationUnit: string
  /** Whether an experiment randomizes by it that says nothing else; one unit is. */
  readonly default: boolean
}

const project = 'proj/{projectKey}'

export const experimentationSettings = documents<ExperimentationSettings>()({
  name: 'experimentation-settings',
  address: `${project}:experimentation-settings/current`,
  policyAddress: project,
  changes: { randomizationUnits: 'updateExperimentationSettings', createdAt: null },
})

/**
 * The settings of a project where nobody changed them.
 *
 * @param createdAt when the project was made.
 */
export function defaultExperimentationSettings(createdAt: number): ExperimentationSettings {
  return { version: 0, randomizationUnits: [{ randomizationUnit: userKind, default: true }], createdAt }
}
