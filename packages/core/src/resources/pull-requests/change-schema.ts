import * as v from 'valibot'
import {
  type Arrival,
  type CommitContent,
  leadTimeTo,
  type PullRequest,
  type PullRequestContent,
  pullRequestStates,
} from '../../models/pull-requests/pull-request.ts'
import type { ReadContext } from '../../operation/context.ts'
import { maxIngested } from '../../operation/ingest-response.ts'
import { httpUrl, key, list, moment, name, timestamp } from '../../operation/schema.ts'

const count = () => v.pipe(v.number(), v.integer('must be an integer'), v.minValue(0, 'must not be negative'))
const state = () => v.picklist(pullRequestStates, `must be one of ${pullRequestStates.join(', ')}`)

const commitEntries = {
  externalId: name(),
  author: v.optional(name()),
  authoredAt: moment(),
  /** Default: `authoredAt`. */
  committedAt: v.optional(moment()),
}

const pullRequestRequest = v.pipe(
  v.strictObject({
    externalId: name(),
    repositoryKey: v.optional(name()),
    title: v.optional(v.pipe(v.string(), v.maxLength(1000, 'must have at most 1000 characters')), ''),
    url: v.optional(httpUrl()),
    author: v.optional(name()),
    state: state(),
    openedAt: moment(),
    mergedAt: v.optional(moment()),
    closedAt: v.optional(moment()),
    /** Time of this state. Default: the latest of the times above. */
    updatedAt: v.optional(moment()),
    /** Time of the first commit, for requests without commits. */
    firstCommitAt: v.optional(moment()),
    /** Id of the merge commit, by which deployments may refer to the pull request. */
    mergeCommitId: v.optional(name()),
    filesChanged: v.optional(count()),
    linesAdded: v.optional(count(), 0),
    linesDeleted: v.optional(count(), 0),
    commits: v.optional(
      v.pipe(list(v.strictObject(commitEntries)), v.maxLength(1000, 'must contain at most 1000 commits')),
      [],
    ),
  }),
  v.forward(
    v.check(
      ({ state, mergedAt }) => (state === 'merged') === (mergedAt !== undefined),
      'must be present when the state is merged, and only then',
    ),
    ['mergedAt'],
  ),
)

export type PullRequestRequest = v.InferOutput<typeof pullRequestRequest>

export const pullRequestsRequest = v.strictObject({
  projectKey: key(),
  pullRequests: v.pipe(
    list(pullRequestRequest),
    v.maxLength(maxIngested, `must contain at most ${maxIngested} pull requests`),
  ),
})

const commitRequest = v.strictObject({ ...commitEntries, pullRequestId: v.optional(name()) })

export type CommitRequest = v.InferOutput<typeof commitRequest>

export const commitsRequest = v.strictObject({
  projectKey: key(),
  commits: v.pipe(list(commitRequest), v.maxLength(maxIngested, `must contain at most ${maxIngested} commits`)),
})

/** Returns the content of a reported commit. */
export function commitContentOf({ author, authoredAt, committedAt = authoredAt }: CommitRequest): CommitContent {
  return { ...(author === undefined ? {} : { author }), authoredAt, committedAt }
}

/** Returns the content of a reported pull request. */
export function contentOf(request: PullRequestRequest): PullRequestContent {
  const { externalId, commits, mergeCommitId, firstCommitAt, updatedAt, ...content } = request
  const { openedAt, mergedAt = 0, closedAt = 0 } = content
  return { ...content, updatedAt: updatedAt ?? Math.max(openedAt, mergedAt, closedAt) }
}

const arrivalResponse = v.object({
  environmentKey: v.string(),
  applicationKey: v.string(),
  applicationVersion: v.string(),
  deployTime: timestamp(),
  /** Time from the first commit to the deployment, in ms; 0 when the two are out of order. */
  leadTime: v.number(),
})

export const pullRequestResponse = v.object({
  externalId: v.string(),
  repositoryKey: v.optional(v.string()),
  title: v.string(),
  url: v.optional(v.string()),
  author: v.optional(v.string()),
  status: v.picklist([...pullRequestStates, 'deployed']),
  createTime: timestamp(),
  mergeTime: v.optional(timestamp()),
  closeTime: v.optional(timestamp()),
  firstCommitTime: v.optional(timestamp()),
  numberOfCommits: v.number(),
  filesChanged: v.optional(v.number()),
  linesAdded: v.number(),
  linesDeleted: v.number(),
  /** The longest lead time to a selected deployment, in ms. */
  leadTime: v.optional(v.number()),
  deployments: v.optional(list(arrivalResponse)),
})

export interface PullRequestResponseOptions {
  readonly environmentKey?: string | undefined
  readonly applicationKey?: readonly string[] | undefined
  readonly expand: readonly 'deployments'[]
}

/** Returns the arrivals of a change that a query selects. */
export function selectArrivals(
  arrivals: readonly Arrival[],
  { environmentKey, applicationKey = [] }: Pick<PullRequestResponseOptions, 'environmentKey' | 'applicationKey'>,
): readonly Arrival[] {
  return arrivals.filter(
    (arrival) =>
      (environmentKey === undefined || arrival.environmentKey === environmentKey) &&
      (applicationKey.length === 0 || applicationKey.includes(arrival.applicationKey)),
  )
}

// Content of pull requests that were never reported. Lists omit these pull requests.
const noContent: PullRequestContent = {
  title: '',
  state: 'open',
  openedAt: 0,
  linesAdded: 0,
  linesDeleted: 0,
  updatedAt: 0,
}

/** Serializes a reported pull request, with the selected deployments. */
export function serializePullRequest(
  { format }: Pick<ReadContext, 'format'>,
  { externalId, content = noContent, firstCommitAt, commitIds, arrivals }: PullRequest,
  { environmentKey, applicationKey, expand }: PullRequestResponseOptions,
): v.InferOutput<typeof pullRequestResponse> {
  const { openedAt, mergedAt, closedAt, updatedAt, state, ...properties } = content
  const selected = selectArrivals(arrivals, { environmentKey, applicationKey })
  const leadTimeOf = (arrival: Arrival) => leadTimeTo({ content, firstCommitAt }, arrival)
  return {
    ...properties,
    externalId,
    status: state === 'merged' && selected.length > 0 ? 'deployed' : state,
    createTime: format.time(openedAt),
    ...(mergedAt === undefined ? {} : { mergeTime: format.time(mergedAt) }),
    ...(closedAt === undefined ? {} : { closeTime: format.time(closedAt) }),
    ...(firstCommitAt === undefined ? {} : { firstCommitTime: format.time(firstCommitAt) }),
    numberOfCommits: commitIds.length,
    ...(selected.length === 0 ? {} : { leadTime: Math.max(...selected.map(leadTimeOf)) }),
    ...(expand.includes('deployments')
      ? {
          deployments: selected.map((arrival) => ({
            environmentKey: arrival.environmentKey,
            applicationKey: arrival.applicationKey,
            applicationVersion: arrival.applicationVersion,
            deployTime: format.time(arrival.deployedAt),
            leadTime: leadTimeOf(arrival),
          })),
        }
      : {}),
  }
}
