import { environments } from '../../models/environments/environment.ts'
import { type Commit, commits, type PullRequest, pullRequests } from '../../models/pull-requests/pull-request.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { Sample } from '../../storage/port.ts'
import type { IngestedDocument, Writer } from '../../storage/writer.ts'
import { appendLeadTimes } from '../lead-time/append-lead-times.ts'
import { type EnvironmentSample, samplesOfCommit, samplesOfPullRequest } from './change-samples.ts'
import { type CommitReport, joinCommit, joinPullRequest, type PullRequestReport } from './join-changes.ts'

/** Reports about changes in one call, by the ids of the changes. Several reports about one change are joined. */
export interface ChangeReports {
  readonly pullRequests: readonly (readonly [id: string, report: PullRequestReport])[]
  readonly commits: readonly (readonly [id: string, report: CommitReport])[]
}

type IngestedChange<T extends PullRequest | Commit, A extends string> = IngestedDocument<T, A> & {
  readonly after: Omit<T, 'version'>
}
type IngestedPullRequest = IngestedChange<PullRequest, typeof pullRequests.template>
type IngestedCommit = IngestedChange<Commit, typeof commits.template>

/** Ids of the changes that were new or different. */
export interface ChangedIds {
  readonly pullRequestIds: ReadonlySet<string>
  readonly commitIds: ReadonlySet<string>
}

/**
 * Writes reports about changes, and the lead times that follow from them: when a merged change has reached an
 * environment, it becomes a sample of the environment, no matter if the deployment or the change was reported first
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time). Later reports replace that sample.
 */
export async function reportChanges(
  context: Pick<WriteContext, 'tx' | 'options'>,
  projectKey: string,
  report: ChangeReports,
): Promise<ChangedIds> {
  const { tx } = context
  const joinedCommitList = await joinCommits(tx, projectKey, report.commits)
  const joinedPullRequestList = await joinPullRequests(tx, projectKey, [
    ...report.pullRequests,
    ...joinedCommitList.flatMap(({ after }) => pullRequestReportsOf(after)),
  ])
  const changedCommits = tx.ingest(commits, joinedCommitList)
  const changedPullRequests = tx.ingest(pullRequests, joinedPullRequestList)
  const changed = new Map<string, ChangedSamples>()
  for (const { before, after } of changedPullRequests as readonly IngestedPullRequest[]) {
    collectChanges(changed, before ? samplesOfPullRequest(before) : [], samplesOfPullRequest(after))
  }
  for (const { before, after } of changedCommits as readonly IngestedCommit[]) {
    collectChanges(changed, before ? samplesOfCommit(before) : [], samplesOfCommit(after))
  }
  await writeSamples(context, projectKey, changed)
  return {
    pullRequestIds: new Set(changedPullRequests.map(({ keys }) => keys.pullRequestId)),
    commitIds: new Set(changedCommits.map(({ keys }) => keys.commitId)),
  }
}

async function joinCommits(
  tx: Writer,
  projectKey: string,
  report: ChangeReports['commits'],
): Promise<IngestedCommit[]> {
  const grouped = groupsOf(report)
  const keys = [...grouped.keys()].map((commitId) => ({ projectKey, commitId }))
  const existing = await tx.getMany(commits, keys)
  return keys.map((commitKeys, i) => {
    const before = existing[i]
    const start: Omit<Commit, 'version'> = before ?? {
      externalId: commitKeys.commitId,
      pullRequestIds: [],
      arrivals: [],
    }
    return { keys: commitKeys, before, after: (grouped.get(commitKeys.commitId) ?? []).reduce(joinCommit, start) }
  })
}

async function joinPullRequests(
  tx: Writer,
  projectKey: string,
  report: ChangeReports['pullRequests'],
): Promise<IngestedPullRequest[]> {
  const grouped = groupsOf(report)
  const keys = [...grouped.keys()].map((pullRequestId) => ({ projectKey, pullRequestId }))
  const existing = await tx.getMany(pullRequests, keys)
  return keys.map((pullRequestKeys, i) => {
    const before = existing[i]
    const start: Omit<PullRequest, 'version'> = before ?? {
      externalId: pullRequestKeys.pullRequestId,
      commitIds: [],
      arrivals: [],
    }
    return {
      keys: pullRequestKeys,
      before,
      after: (grouped.get(pullRequestKeys.pullRequestId) ?? []).reduce(joinPullRequest, start),
    }
  })
}

function groupsOf<T>(reports: readonly (readonly [id: string, report: T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const [id, report] of reports) {
    const group = groups.get(id)
    if (group) group.push(report)
    else groups.set(id, [report])
  }
  return groups
}

/** Returns the reports about the pull requests that contain a commit. */
function pullRequestReportsOf({ externalId, pullRequestIds, content, arrivals }: Omit<Commit, 'version'>) {
  const report: PullRequestReport = {
    // A merge commit is not one of the pull request's own commits.
    commitIds: content ? [externalId] : [],
    arrivals,
    ...(content ? { firstCommitAt: content.authoredAt } : {}),
  }
  return pullRequestIds.map((id) => [id, report] as const)
}

/** Lead-time samples of one environment to delete and to add. */
interface ChangedSamples {
  readonly deleted: Sample[]
  readonly added: Sample[]
}

/** Collects the changes of lead times after a report: most samples are new, some have another time. */
function collectChanges(
  changed: Map<string, ChangedSamples>,
  before: readonly EnvironmentSample[],
  after: readonly EnvironmentSample[],
): void {
  const changesOf = (environmentKey: string) => {
    const changes = changed.get(environmentKey) ?? { deleted: [], added: [] }
    changed.set(environmentKey, changes)
    return changes
  }
  for (const entry of before)
    if (!includesSample(after, entry)) changesOf(entry.environmentKey).deleted.push(entry.sample)
  for (const entry of after)
    if (!includesSample(before, entry)) changesOf(entry.environmentKey).added.push(entry.sample)
}

function includesSample(
  samples: readonly EnvironmentSample[],
  { environmentKey, sample: { id, at, values } }: EnvironmentSample,
): boolean {
  return samples.some(
    (entry) =>
      entry.environmentKey === environmentKey &&
      entry.sample.id === id &&
      entry.sample.at === at &&
      entry.sample.values.every((value, column) => value === values[column]),
  )
}

/** Writes the changed samples. Samples of a deleted environment are dropped. */
async function writeSamples(
  context: Pick<WriteContext, 'tx' | 'options'>,
  projectKey: string,
  changed: ReadonlyMap<string, ChangedSamples>,
): Promise<void> {
  const { tx } = context
  for (const [environmentKey, { deleted, added }] of changed) {
    const environmentKeys = { projectKey, environmentKey }
    const environment = await tx.get(environments, environmentKeys)
    if (!environment) continue
    tx.expect(environments, environmentKeys, environment)
    const sorted = added.sort((a, b) => a.at - b.at)
    await appendLeadTimes(context, environmentKeys, environment, { samples: sorted, deleted })
  }
}
