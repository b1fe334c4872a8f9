import { documents, type Versioned } from '../../storage/collection.ts'

export const pullRequestStates = ['open', 'merged', 'closed'] as const

/** What is told of a pull request. Moments are integer ms, UTC. */
export interface PullRequestContent {
  readonly repositoryKey?: string
  readonly title: string
  readonly url?: string
  readonly author?: string
  readonly state: (typeof pullRequestStates)[number]
  readonly openedAt: number
  readonly mergedAt?: number
  readonly closedAt?: number
  readonly filesChanged?: number
  readonly linesAdded: number
  readonly linesDeleted: number
  /** When it was so: of two tellings the later one counts. */
  readonly updatedAt: number
}

/**
 * A pull request of a project. Somebody else may have named it before it is told of, a deployment or one of its commits:
 * so nothing of `content` need be there. All members are joined from what was told, in whatever order it came.
 */
export interface PullRequest extends Versioned {
  readonly externalId: string
  readonly content?: PullRequestContent
  readonly firstCommitAt?: number
  /** In code-unit order, each once. */
  readonly commitIds: readonly string[]
  readonly arrivals: readonly Arrival[]
}

/** A deployment by which a change reached an environment. */
export interface Arrival {
  readonly environmentKey: string
  readonly applicationKey: string
  readonly applicationVersion: string
  readonly deployStartedAt?: number
  readonly deployedAt: number
}

export const pullRequests = documents<PullRequest>()({
  name: 'pull-request',
  address: 'proj/{projectKey}:pull-request/{pullRequestId}',
  fields: ({ content, arrivals }) => ({
    ...(content
      ? { openedAt: content.openedAt, state: content.state, author: content.author ?? null, title: content.title }
      : {}),
    repositoryKey: content?.repositoryKey ?? null,
    environmentKeys: [...new Set(arrivals.map(({ environmentKey }) => environmentKey))],
    applicationKeys: [...new Set(arrivals.map(({ applicationKey }) => applicationKey))],
    places: [...new Set(arrivals.map(placeOf))],
    arrived: arrivals.length > 0,
  }),
})

/** Where it arrived, as lists ask for both at once. */
export function placeOf({
  environmentKey,
  applicationKey,
}: Pick<Arrival, 'environmentKey' | 'applicationKey'>): string {
  return `${environmentKey} ${applicationKey}`
}

/** A commit of a project: of pull requests, or a change by itself. Nothing but its arrivals need be known. */
export interface Commit extends Versioned {
  readonly externalId: string
  /** Those that have it, each once. */
  readonly pullRequestIds: readonly string[]
  readonly content?: CommitContent
  readonly arrivals: readonly Arrival[]
}

export interface CommitContent {
  readonly author?: string
  readonly authoredAt: number
  readonly committedAt: number
}

export const commits = documents<Commit>()({
  name: 'commit',
  address: 'proj/{projectKey}:commit/{commitId}',
})
