import { documents, type Versioned } from '../../storage/collection.ts'

export const repositoryTypes = ['bitbucket', 'custom', 'github', 'gitlab'] as const

/** A source repository in which flags are looked for. */
export interface Repository extends Versioned {
  /** Letters, digits, `.`, `_`, `-` and `/`. */
  readonly name: string
  readonly type: (typeof repositoryTypes)[number]
  /** Where people read it; empty when nowhere. */
  readonly sourceLink: string
  /** Address of a commit, with `${sha}` in it; empty when there is none. */
  readonly commitUrlTemplate: string
  /** Address of a piece of a file, with `${filePath}` and `${lineNumber}` in it; empty when there is none. */
  readonly hunkUrlTemplate: string
  readonly defaultBranch: string
  readonly enabled: boolean
  /**
   * Projects for which there are statistics of this repository, by key. Whoever adds or removes statistics changes
   * this too, so that two who do it at once collide here and none is forgotten.
   */
  readonly projectKeys: readonly string[]
  readonly createdAt: number
}

/** Most repositories that an account can have, so that statistics can tell of all of them. */
export const mostRepositories = 1000

export const repositories = documents<Repository>()({
  name: 'code-reference-repository',
  address: 'code-reference-repository/{repo}',
  changes: {
    name: null,
    type: 'updateCodeReferenceRepositoryConfiguration',
    sourceLink: 'updateCodeReferenceRepositoryConfiguration',
    commitUrlTemplate: 'updateCodeReferenceRepositoryConfiguration',
    hunkUrlTemplate: 'updateCodeReferenceRepositoryConfiguration',
    defaultBranch: 'updateCodeReferenceRepositoryConfiguration',
    enabled: 'updateCodeReferenceRepositoryOn',
    projectKeys: null,
    createdAt: null,
  },
})
