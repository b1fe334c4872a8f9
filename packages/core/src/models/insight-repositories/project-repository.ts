import { documents, type Versioned } from '../../storage/collection.ts'

/**
 * Association of a repository with a project: the changes of the repository are changes of the project. It is created
 * by reported pull requests or by a caller.
 */
export interface AssociatedRepository extends Versioned {
  /** Key of the repository in its own system, for example `owner/name`. */
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
