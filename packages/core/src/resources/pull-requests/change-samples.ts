import { storedSample } from '../../models/lead-time/lead-time-sample.ts'
import type { Arrival, Commit, PullRequest } from '../../models/pull-requests/pull-request.ts'
import type { Sample } from '../../storage/port.ts'

/** A lead-time sample with its environment. */
export interface EnvironmentSample {
  readonly environmentKey: string
  readonly sample: Sample
}

type WithoutVersion<T> = Omit<T, 'version'>

/**
 * Returns the lead times of a pull request: one for each application and environment that it reached, by its earliest
 * deployment there (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time). Empty while the pull request
 * is not known to be merged.
 */
export function samplesOfPullRequest({
  externalId,
  content,
  inEvents,
  firstCommitAt,
  arrivals,
}: WithoutVersion<PullRequest>): readonly EnvironmentSample[] {
  const { openedAt, mergedAt } = content?.mergedAt === undefined ? (inEvents ?? {}) : content
  if (mergedAt === undefined) return []
  const startedAt = firstCommitAt ?? openedAt ?? mergedAt
  return samplesOf(externalId, arrivals, { startedAt, openedAt, mergedAt })
}

/**
 * Returns the lead times of a commit. A commit of a pull request has no lead times, because it is a part of that
 * change.
 */
export function samplesOfCommit({
  externalId,
  pullRequestIds,
  content,
  arrivals,
}: WithoutVersion<Commit>): readonly EnvironmentSample[] {
  if (!content || pullRequestIds.length > 0) return []
  return samplesOf(externalId, arrivals, { startedAt: content.authoredAt, mergedAt: content.committedAt })
}

interface Times {
  readonly startedAt: number
  readonly openedAt?: number | undefined
  readonly mergedAt: number
}

function samplesOf(changeId: string, arrivals: readonly Arrival[], { openedAt, ...times }: Times): EnvironmentSample[] {
  const earliest = new Map<string, Arrival>()
  for (const arrival of arrivals) {
    const key = `${arrival.environmentKey} ${arrival.applicationKey}`
    const known = earliest.get(key)
    // Arrivals are ordered by version. If two have the same time, the first one is used.
    if (!known || arrival.deployedAt < known.deployedAt) earliest.set(key, arrival)
  }
  return Array.from(earliest.values(), ({ environmentKey, applicationKey, deployStartedAt, deployedAt }) => ({
    environmentKey,
    sample: storedSample({
      ...times,
      ...(openedAt === undefined ? {} : { openedAt }),
      ...(deployStartedAt === undefined ? {} : { deployStartedAt }),
      externalId: `${applicationKey}:${changeId}`,
      applicationKey,
      deployedAt,
    }),
  }))
}
