import { environments } from '../../models/environments/environment.ts'
import { type Commit, commits, type PullRequest, pullRequests } from '../../models/pull-requests/pull-request.ts'
import type { Sample } from '../../storage/port.ts'
import type { IngestedDocument, Writer } from '../../storage/writer.ts'
import { appendLeadTimes } from '../lead-time/append-lead-times.ts'
import { type PlacedSample, samplesOfCommit, samplesOfPullRequest } from './change-samples.ts'
import { joinCommit, joinPullRequest, type ToldCommit, type ToldPullRequest } from './join-changes.ts'

/** Reports about changes in one call, by the ids of the changes. Several reports about one change are joined. */
export interface ToldChanges {
  readonly pullRequests: readonly (readonly [id: string, told: ToldPullRequest])[]
  readonly commits: readonly (readonly [id: string, told: ToldCommit])[]
}

type Fed<T extends PullRequest | Commit, A extends string> = IngestedDocument<T, A> & {
  readonly after: Omit<T, 'version'>
}
type FedPullRequest = Fed<PullRequest, typeof pullRequests.template>
type FedCommit = Fed<Commit, typeof commits.template>

/** Ids of the changes that were new or different. */
export interface TellingOfChanges {
  readonly pullRequestIds: ReadonlySet<string>
  readonly commitIds: ReadonlySet<string>
}

/**
 * Writes reports about changes, and the lead times that follow from them: a merged change that has reached an
 * environment is a sample there, whichever of the deployment and the change was reported first (D25). Later reports
 * replace that sample.
 */
export async function tellChanges(tx: Writer, projectKey: string, told: ToldChanges): Promise<TellingOfChanges> {
  const fedCommits = await joinedCommits(tx, projectKey, told.commits)
  const fedPullRequests = await joinedPullRequests(tx, projectKey, [
    ...told.pullRequests,
    ...fedCommits.flatMap(({ after }) => tellingsOf(after)),
  ])
  const changedCommits = tx.ingest(commits, fedCommits)
  const changedPullRequests = tx.ingest(pullRequests, fedPullRequests)
  const changed = new Map<string, ChangedSamples>()
  for (const { before, after } of changedPullRequests as readonly FedPullRequest[]) {
    noteSamples(changed, before ? samplesOfPullRequest(before) : [], samplesOfPullRequest(after))
  }
  for (const { before, after } of changedCommits as readonly FedCommit[]) {
    noteSamples(changed, before ? samplesOfCommit(before) : [], samplesOfCommit(after))
  }
  await keepSamples(tx, projectKey, changed)
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

/** Returns the reports about the pull requests that contain a commit. */
function tellingsOf({ externalId, pullRequestIds, content, arrivals }: Omit<Commit, 'version'>) {
  const told: ToldPullRequest = {
    // A merge commit is not one of the pull request's own commits.
    commitIds: content ? [externalId] : [],
    arrivals,
    ...(content ? { firstCommitAt: content.authoredAt } : {}),
  }
  return pullRequestIds.map((id) => [id, told] as const)
}

/** Lead-time samples of one environment to delete and to add. */
interface ChangedSamples {
  readonly withdrawn: Sample[]
  readonly added: Sample[]
}

/** Collects the changes of lead times after a report: most samples are new, some have another time. */
function noteSamples(
  changed: Map<string, ChangedSamples>,
  before: readonly PlacedSample[],
  after: readonly PlacedSample[],
): void {
  const at = (environmentKey: string) => {
    const known = changed.get(environmentKey) ?? { withdrawn: [], added: [] }
    changed.set(environmentKey, known)
    return known
  }
  for (const one of before) if (!has(after, one)) at(one.environmentKey).withdrawn.push(one.sample)
  for (const one of after) if (!has(before, one)) at(one.environmentKey).added.push(one.sample)
}

function has(samples: readonly PlacedSample[], { environmentKey, sample: { id, at, values } }: PlacedSample): boolean {
  return samples.some(
    (one) =>
      one.environmentKey === environmentKey &&
      one.sample.id === id &&
      one.sample.at === at &&
      one.sample.values.every((value, column) => value === values[column]),
  )
}

/** Writes the changed samples. Samples of a deleted environment are dropped. */
async function keepSamples(
  tx: Writer,
  projectKey: string,
  changed: ReadonlyMap<string, ChangedSamples>,
): Promise<void> {
  for (const [environmentKey, { withdrawn, added }] of changed) {
    const place = { projectKey, environmentKey }
    const environment = await tx.get(environments, place)
    if (!environment) continue
    tx.expect(environments, place, environment)
    const inOrder = added.sort((a, b) => a.at - b.at)
    await appendLeadTimes(tx, place, environment, inOrder, withdrawn)
  }
}
