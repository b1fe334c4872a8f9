import { documents, type Versioned } from '../../storage/collection.ts'

/**
 * Association of a repository with a project: the changes of the repository are changes of the project. Reported pull
 * requests create it, or a caller does.
 */
export interface AssociatedRepository extends Versioned {
  /** Key in its own system, for example `owner/name`. */
  readonly key: string
  /** Integer ms, UTC. */
  readonly associatedAt: number
}

export const associatedRepositories = documents<AssociatedRepository>()({
  name: 'project-repository',
  recorded: true,
  address: 'proj/{projectKey}:repository/{repositoryKey}',
  fields: ({ associatedAt }) => ({ associatedAt }),
  createdAt: ({ associatedAt }) => associatedAt,
})
