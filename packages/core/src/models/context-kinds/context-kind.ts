import { switchSentence } from '../../rules/sentences/sentence.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

/** A kind of context of a project. Clauses can refer to it, and experiments can randomize by it. */
export interface ContextKind extends Versioned {
  readonly key: string
  readonly name: string
  readonly description: string
  /** True when user interfaces omit the kind from the choices for targeting. */
  readonly hideInTargeting: boolean
  /** True when the kind is archived: it can no longer be chosen. */
  readonly archived: boolean
  /**
   * Increases when an experiment starts to randomize by this kind. The increase changes the version, so the kind cannot
   * be archived concurrently.
   */
  readonly holds: number
  readonly createdAt: number
  readonly lastModified: number
}

export const contextKinds = documents<ContextKind>()({
  name: 'context-kind',
  address: 'proj/{projectKey}:context-kind/{key}',
  shown: { holds: null, createdAt: shownTime('creationDate'), lastModified: shownTime('lastModified') },
  sentences: {
    changed: {
      hideInTargeting: switchSentence(
        'hideInTargeting',
        ({ it }) => `hid ${it} in targeting`,
        ({ it }) => `showed ${it} in targeting`,
      ),
    },
  },
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

/** Maximum number of context kinds of a project, so that one list can contain all of them. */
export const maxContextKinds = 100

/**
 * Returns the kind `user` of a project in which it was never changed. Every project has it.
 *
 * @param createdAt time of creation of the project.
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
