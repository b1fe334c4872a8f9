import { documents, type Versioned } from '../../storage/collection.ts'

/** Says that changes of a repository are those of a project. Its pull requests say so, or somebody does. */
export interface AssociatedRepository extends Versioned {
  /** As its own system calls it, e.g. `owner/name`. */
  readonly key: string
  /** Integer ms, UTC. */
  readonly associatedAt: number
}

export const associatedRepositories = documents<AssociatedRepository>()({
  name: 'project-repository',
  address: 'proj/{projectKey}:repository/{repositoryKey}',
  fields: ({ associatedAt }) => ({ associatedAt }),
})
