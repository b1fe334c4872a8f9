import type {
  Arrival,
  Commit,
  CommitContent,
  MergeMoments,
  PullRequest,
  PullRequestContent,
} from '../../models/pull-requests/pull-request.ts'
import { canonicalJson } from '../../rules/canonical-json.ts'

/*
 * The state of a change is joined from the reports about it. A join takes the greater of two values, the earlier of two
 * times, or the union of two sets. So the result is the same when reports come in any order, late or twice.
 */

/** A report about a commit: its content, or only that a pull request or a deployment contains it. */
export interface CommitReport {
  readonly pullRequestId?: string
  readonly content?: CommitContent
  readonly arrivals?: readonly Arrival[]
}

/** A report about a pull request. */
export interface PullRequestReport {
  readonly content?: PullRequestContent
  readonly firstCommitAt?: number
  readonly inEvents?: MergeMoments
  readonly commitIds?: readonly string[]
  readonly arrivals?: readonly Arrival[]
}

type WithoutVersion<T> = Omit<T, 'version'>

/** Joins a commit with a report. Of two different contents, the content with the earlier author time is kept. */
export function joinCommit(before: WithoutVersion<Commit>, report: CommitReport): WithoutVersion<Commit> {
  const content = earliest(before.content, report.content)
  return {
    externalId: before.externalId,
    pullRequestIds: joinIds(before.pullRequestIds, report.pullRequestId === undefined ? [] : [report.pullRequestId]),
    ...(content === undefined ? {} : { content }),
    arrivals: joinArrivals(before.arrivals, report.arrivals),
  }
}

/** Joins a pull request with a report: the latest content, the earliest commit, and all arrivals. */
export function joinPullRequest(
  before: WithoutVersion<PullRequest>,
  report: PullRequestReport,
): WithoutVersion<PullRequest> {
  const content = latest(before.content, report.content)
  const inEvents = earliestTimes(before.inEvents, report.inEvents)
  const firstCommitAt = Math.min(before.firstCommitAt ?? Infinity, report.firstCommitAt ?? Infinity)
  return {
    externalId: before.externalId,
    ...(content === undefined ? {} : { content }),
    ...(firstCommitAt === Infinity ? {} : { firstCommitAt }),
    ...(inEvents === undefined ? {} : { inEvents }),
    commitIds: joinIds(before.commitIds, report.commitIds),
    arrivals: joinArrivals(before.arrivals, report.arrivals),
  }
}

/** Returns every arrival once. If a deployment has several arrivals, its first success is kept. */
export function joinArrivals(arrivals: readonly Arrival[], added: readonly Arrival[] = []): readonly Arrival[] {
  if (added.length === 0) return arrivals
  const joined = new Map<string, Arrival>()
  for (const arrival of [...arrivals, ...added]) {
    const deployment = deploymentOf(arrival)
    const existing = joined.get(deployment)
    if (!existing || isBefore(arrival, existing)) joined.set(deployment, arrival)
  }
  return [...joined].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, arrival]) => arrival)
}

function deploymentOf({ environmentKey, applicationKey, applicationVersion }: Arrival): string {
  return `${environmentKey} ${applicationKey} ${applicationVersion}`
}

/**
 * Returns true if `a` comes before `b`. Of two deployments that arrive at the same time, the deployment with the later
 * known start comes first.
 */
function isBefore(a: Arrival, b: Arrival): boolean {
  if (a.deployedAt !== b.deployedAt) return a.deployedAt < b.deployedAt
  return (a.deployStartedAt ?? -1) > (b.deployStartedAt ?? -1)
}

function joinIds(ids: readonly string[], added: readonly string[] = []): readonly string[] {
  const missing = added.filter((id) => !ids.includes(id))
  return missing.length === 0 ? ids : [...new Set([...ids, ...missing])].sort()
}

function latest(a: PullRequestContent | undefined, b: PullRequestContent | undefined): PullRequestContent | undefined {
  if (!a || !b) return a ?? b
  return a.updatedAt === b.updatedAt ? greater(a, b) : a.updatedAt > b.updatedAt ? a : b
}

function earliest(a: CommitContent | undefined, b: CommitContent | undefined): CommitContent | undefined {
  if (!a || !b) return a ?? b
  return a.authoredAt === b.authoredAt ? greater(a, b) : a.authoredAt < b.authoredAt ? a : b
}

function earliestTimes(a: MergeMoments | undefined, b: MergeMoments | undefined): MergeMoments | undefined {
  if (!a || !b) return a ?? b
  const openedAt = Math.min(a.openedAt ?? Infinity, b.openedAt ?? Infinity)
  return { ...(openedAt === Infinity ? {} : { openedAt }), mergedAt: Math.min(a.mergedAt, b.mergedAt) }
}

function greater<T extends object>(a: T | undefined, b: T | undefined): T | undefined {
  if (!a || !b) return a ?? b
  return canonicalJson(a) >= canonicalJson(b) ? a : b
}
