import { documents, type Versioned } from '../../storage/collection.ts'

export const pullRequestStates = ['open', 'merged', 'closed'] as const

/** Reported properties of a pull request. Times are integers in ms, UTC. */
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
  /** Time of this state of the pull request. When several reports arrive, the report with the latest time applies. */
  readonly updatedAt: number
}

/**
 * A pull request of a project. A deployment or one of its commits may refer to it before it is reported, so `content`
 * may be missing. Reports may arrive in any order; the properties are merged from all of them.
 */
export interface PullRequest extends Versioned {
  readonly externalId: string
  readonly content?: PullRequestContent
  readonly firstCommitAt?: number
  /**
   * The earliest times that deployments have reported for the pull request. Lead times use them for times that
   * `content` does not have.
   */
  readonly inEvents?: MergeMoments
  /** In code-unit order, each once. */
  readonly commitIds: readonly string[]
  readonly arrivals: readonly Arrival[]
}

/** Times of a merged pull request, integer ms, UTC. */
export interface MergeMoments {
  readonly openedAt?: number
  readonly mergedAt: number
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
  fields: ({ content, firstCommitAt, arrivals }) => ({
    ...(content
      ? { openedAt: content.openedAt, state: content.state, author: content.author ?? null, title: content.title }
      : {}),
    repositoryKey: content?.repositoryKey ?? null,
    environmentKeys: [...new Set(arrivals.map(({ environmentKey }) => environmentKey))],
    applicationKeys: [...new Set(arrivals.map(({ applicationKey }) => applicationKey))],
    places: [...new Set(arrivals.map(arrivalKey))],
    arrived: arrivals.length > 0,
    ...(content ? leadTimeFields({ content, firstCommitAt, arrivals }) : {}),
  }),
})

type ReportedPullRequest = Pick<PullRequest, 'firstCommitAt' | 'arrivals'> & { readonly content: PullRequestContent }

/** Returns the time from the first commit to a deployment, in ms; 0 when the two are out of order. */
export function leadTimeTo(
  { content, firstCommitAt }: Omit<ReportedPullRequest, 'arrivals'>,
  { deployedAt }: Arrival,
): number {
  return Math.max(0, deployedAt - (firstCommitAt ?? content.openedAt))
}

/**
 * Returns the name of the field with the longest lead time to an environment, of all applications or of one. Lists sort
 * by it.
 */
export function leadTimeField(environmentKey: string, applicationKey?: string): string {
  return applicationKey === undefined ? `leadTime ${environmentKey}` : `leadTime ${environmentKey} ${applicationKey}`
}

function leadTimeFields(pullRequest: ReportedPullRequest): Readonly<Record<string, number>> {
  const longest: Record<string, number> = {}
  for (const arrival of pullRequest.arrivals) {
    const leadTime = leadTimeTo(pullRequest, arrival)
    const { environmentKey, applicationKey } = arrival
    for (const field of [leadTimeField(environmentKey), leadTimeField(environmentKey, applicationKey)]) {
      longest[field] = Math.max(longest[field] ?? 0, leadTime)
    }
  }
  return longest
}

/** Returns the key of an environment and an application together, because lists filter by both together. */
export function arrivalKey({
  environmentKey,
  applicationKey,
}: Pick<Arrival, 'environmentKey' | 'applicationKey'>): string {
  return `${environmentKey} ${applicationKey}`
}

/** A commit of a project: a part of pull requests, or a change by itself. Sometimes only its arrivals are known. */
export interface Commit extends Versioned {
  readonly externalId: string
  /** Ids of the pull requests that contain it, each once. */
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
