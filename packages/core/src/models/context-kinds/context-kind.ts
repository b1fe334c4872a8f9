import { userKind } from '../../rules/targeting/clause.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** A kind of context that a project knows: what may be asked about, and what experiments may randomize by. */
export interface ContextKind extends Versioned {
  readonly key: string
  readonly name: string
  readonly description: string
  /** Whether it is left out where people choose a kind for targeting. */
  readonly hideInTargeting: boolean
  /** Whether it is out of use. */
  readonly archived: boolean
  /**
   * Grows when experiments begin to randomize by it: so its version moves, and it cannot be archived in that very
   * moment.
   */
  readonly holds: number
  readonly createdAt: number
  readonly lastModified: number
}

export const contextKinds = documents<ContextKind>()({
  name: 'context-kind',
  address: 'proj/{projectKey}:context-kind/{key}',
  changes: {
    key: null,
    name: 'updateContextKind',
    description: 'updateContextKind',
    hideInTargeting: 'updateContextKind',
    archived: 'updateContextKind',
    holds: null,
    createdAt: null,
    lastModified: null,
  },
})

/** Most kinds that a project can have, so that all of them can be shown at once. */
export const mostContextKinds = 100

/**
 * The kind `user` of a project in which nobody changed it: every project has it.
 *
 * @param createdAt when the project was made.
 */
export function defaultUserKind(createdAt: number): ContextKind {
  return {
    version: 0,
    key: userKind,
    name: 'User',
    description: '',
    hideInTargeting: false,
    archived: false,
    holds: 0,
    createdAt,
    lastModified: createdAt,
  }
}
