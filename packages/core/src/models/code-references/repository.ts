import { documents, type Versioned } from '../../storage/collection.ts'

export const repositoryTypes = ['bitbucket', 'custom', 'github', 'gitlab'] as const

/** A source code repository that is scanned for flags. */
export interface Repository extends Versioned {
  /** Letters, digits, `.`, `_`, `-` and `/`. */
  readonly name: string
  readonly type: (typeof repositoryTypes)[number]
  /** URL of the repository for users; empty when it is not known. */
  readonly sourceLink: string
  /** URL template of a commit, with `${sha}`; empty when it is not known. */
  readonly commitUrlTemplate: string
  /** URL template of a part of a file, with placeholders for path and line; empty when it is not known. */
  readonly hunkUrlTemplate: string
  readonly defaultBranch: string
  readonly enabled: boolean
  /**
   * Keys of the projects that have statistics of this repository. Every operation that adds or removes statistics also
   * writes this document, so that one of two concurrent operations fails and no entry is lost.
   */
  readonly projectKeys: readonly string[]
  readonly createdAt: number
}

/** Maximum number of repositories of an account, so that statistics can cover all of them. */
export const maxRepositories = 1000

export const repositories = documents<Repository>()({
  name: 'code-reference-repository',
  address: 'code-reference-repository/{repo}',
  shown: { projectKeys: null, createdAt: null },
  sentences: {
    changed: {
      enabled: (_, { enabled }, { it }) => `turned ${enabled ? 'on' : 'off'} the code references of ${it}`,
      commitUrlTemplate: 'commit URL template',
      hunkUrlTemplate: 'hunk URL template',
    },
  },
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
