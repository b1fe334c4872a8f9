import type { Sample } from '../../storage/port.ts'
import type { FedDocument, Writer } from '../../storage/writer.ts'
import { environments } from '../environments/environment.ts'
import { appendLeadTimes } from '../lead-time/append-lead-times.ts'
import { storedSample } from '../lead-time/lead-time-sample.ts'
import { joinCommit, joinPullRequest, type ToldCommit, type ToldPullRequest } from './join-changes.ts'
import { type Arrival, type Commit, commits, type PullRequest, pullRequests } from './pull-request.ts'

/** What is told of changes in one call, by their ids; several tellings of one are joined. */
export interface ToldChanges {
  readonly pullRequests: readonly (readonly [id: string, told: ToldPullRequest])[]
  readonly commits: readonly (readonly [id: string, told: ToldCommit])[]
}

type Fed<T extends PullRequest | Commit, A extends string> = FedDocument<T, A> & { readonly after: Omit<T, 'version'> }
type FedPullRequest = Fed<PullRequest, typeof pullRequests.template>
type FedCommit = Fed<Commit, typeof commits.template>

/** What of the changes that were told of was new or different. */
export interface TellingOfChanges {
  readonly pullRequestIds: ReadonlySet<string>
  readonly commitIds: ReadonlySet<string>
}

/**
 * Writes what is told of changes, and the lead times that follow: a change that was merged, and has reached an
 * environment, is a sample there, whether its deployment or itself was told first (D25).
 */
export async function tellChanges(tx: Writer, projectKey: string, told: ToldChanges): Promise<TellingOfChanges> {
  const fedCommits = await joinedCommits(tx, projectKey, told.commits)
  const fedPullRequests = await joinedPullRequests(tx, projectKey, [
    ...told.pullRequests,
    ...fedCommits.flatMap(({ after }) => tellingsOf(after)),
  ])
  const changedCommits = tx.feed(commits, fedCommits)
  const changedPullRequests = tx.feed(pullRequests, fedPullRequests)
  const arrived = [
    ...(changedPullRequests as readonly FedPullRequest[]).flatMap(({ after }) => arrivalsOfPullRequest(after)),
    ...(changedCommits as readonly FedCommit[]).flatMap(({ after }) => arrivalsOfCommit(after)),
  ]
  await keepSamples(tx, projectKey, arrived)
  return {
    pullRequestIds: new Set(changedPullRequests.map(({ keys }) => keys.pullRequestId)),
    commitIds: new Set(changedCommits.map(({ keys }) => keys.commitId)),
  }
}

async function joinedCommits(tx: Writer, projectKey: string, told: ToldChanges['commits']): Promise<FedCommit[]> {
  const grouped = groupsOf(told)
  const keys = [...grouped.keys()].map((commitId) => ({ projectKey, commitId }))
  const known = await tx.getMany(commits, keys)
  return keys.map((one, i) => {
    const before = known[i]
    const start: Omit<Commit, 'version'> = before ?? {
      externalId: one.commitId,
      pullRequestIds: [],
      arrivals: [],
    }
    return { keys: one, before, after: (grouped.get(one.commitId) ?? []).reduce(joinCommit, start) }
  })
}

async function joinedPullRequests(
  tx: Writer,
  projectKey: string,
  told: ToldChanges['pullRequests'],
): Promise<FedPullRequest[]> {
  const grouped = groupsOf(told)
  const keys = [...grouped.keys()].map((pullRequestId) => ({ projectKey, pullRequestId }))
  const known = await tx.getMany(pullRequests, keys)
  return keys.map((one, i) => {
    const before = known[i]
    const start: Omit<PullRequest, 'version'> = before ?? { externalId: one.pullRequestId, commitIds: [], arrivals: [] }
    return { keys: one, before, after: (grouped.get(one.pullRequestId) ?? []).reduce(joinPullRequest, start) }
  })
}

function groupsOf<T>(told: readonly (readonly [id: string, told: T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const [id, one] of told) {
    const group = groups.get(id)
    if (group) group.push(one)
    else groups.set(id, [one])
  }
  return groups
}

/** What a commit says of the pull requests that have it. */
function tellingsOf({ externalId, pullRequestIds, content, arrivals }: Omit<Commit, 'version'>) {
  const told: ToldPullRequest = {
    // The commit that merges it is none of its own.
    commitIds: content ? [externalId] : [],
    arrivals,
    ...(content ? { firstCommitAt: content.authoredAt } : {}),
  }
  return pullRequestIds.map((id) => [id, told] as const)
}

interface ArrivedChange {
  readonly environmentKey: string
  readonly sample: Sample
}

function arrivalsOfPullRequest({ externalId, content, firstCommitAt, arrivals }: Omit<PullRequest, 'version'>) {
  const { openedAt, mergedAt } = content ?? {}
  if (openedAt === undefined || mergedAt === undefined) return []
  return arrivals.map((arrival) =>
    arrivedChange(externalId, arrival, { startedAt: firstCommitAt ?? openedAt, openedAt, mergedAt }),
  )
}

/** A commit of a pull request is a part of that change, and none by itself. */
function arrivalsOfCommit({ externalId, pullRequestIds, content, arrivals }: Omit<Commit, 'version'>) {
  if (!content || pullRequestIds.length > 0) return []
  return arrivals.map((arrival) =>
    arrivedChange(externalId, arrival, { startedAt: content.authoredAt, mergedAt: content.committedAt }),
  )
}

function arrivedChange(
  externalId: string,
  { environmentKey, applicationKey, deployStartedAt, deployedAt }: Arrival,
  moments: { readonly startedAt: number; readonly openedAt?: number; readonly mergedAt: number },
): ArrivedChange {
  const id = `${applicationKey}:${externalId}`
  const sample = storedSample({ ...moments, externalId: id, applicationKey, deployStartedAt, deployedAt })
  return { environmentKey, sample }
}

/** Of a change that arrived several times the first arrival counts; an environment that is gone keeps nothing. */
async function keepSamples(tx: Writer, projectKey: string, arrived: readonly ArrivedChange[]): Promise<void> {
  const byEnvironment = groupsOf(arrived.map(({ environmentKey, sample }) => [environmentKey, sample] as const))
  for (const [environmentKey, samples] of byEnvironment) {
    const place = { projectKey, environmentKey }
    const environment = await tx.get(environments, place)
    if (!environment) continue
    tx.expect(environments, place, environment)
    await appendLeadTimes(
      tx,
      place,
      environment,
      samples.sort((a, b) => a.at - b.at),
    )
  }
}
