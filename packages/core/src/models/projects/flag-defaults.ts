import { documents, type Versioned } from '../../storage/collection.ts'
import { projects } from './project.ts'

/**
 * Properties of new flags of a project, for requests that lack these properties. `defaultClientSideAvailability` is
 * stored in the project instead.
 */
export interface FlagDefaults extends Versioned {
  readonly tags: readonly string[]
  readonly temporary: boolean
  /** The defaults for flags that are created without variations. */
  readonly booleanDefaults: BooleanFlagDefaults
}

/**
 * Names and descriptions of the variations of a boolean flag ('' for none), and its default variations: 0 is true, 1 is
 * false.
 */
export interface BooleanFlagDefaults {
  readonly trueDisplayName: string
  readonly falseDisplayName: string
  readonly trueDescription: string
  readonly falseDescription: string
  readonly onVariation: 0 | 1
  readonly offVariation: 0 | 1
}

const project = 'proj/{projectKey}'
const action = 'updateProjectFlagDefaults'

export const flagDefaults = documents<FlagDefaults>()({
  name: 'flag-defaults',
  address: `${project}:flag-defaults/current`,
  policyAddress: project,
  partOf: projects,
  sentences: {
    name: (_, whole) => `the flag defaults of ${whole}`,
    changed: { booleanDefaults: (_before, _after, { it }) => `changed the variations of boolean flags in ${it}` },
  },
  changes: { tags: action, temporary: action, booleanDefaults: action },
})

/** The defaults of a project in which they were never changed. */
export const initialFlagDefaults: FlagDefaults = {
  version: 0,
  tags: [],
  temporary: true,
  booleanDefaults: {
    trueDisplayName: '',
    falseDisplayName: '',
    trueDescription: '',
    falseDescription: '',
    onVariation: 0,
    offVariation: 1,
  },
}
