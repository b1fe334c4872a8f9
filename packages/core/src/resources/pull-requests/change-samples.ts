import { storedSample } from '../../models/lead-time/lead-time-sample.ts'
import type { Arrival, Commit, PullRequest } from '../../models/pull-requests/pull-request.ts'
import type { Sample } from '../../storage/port.ts'

/** A lead-time sample with its environment. */
export interface PlacedSample {
  readonly environmentKey: string
  readonly sample: Sample
}

type Known<T> = Omit<T, 'version'>

/**
 * Returns the lead times of a pull request: one for each application and environment that it reached, by its earliest
 * deployment there (D25). None while it is not known to be merged.
 */
export function samplesOfPullRequest({
  externalId,
  content,
  inEvents,
  firstCommitAt,
  arrivals,
}: Known<PullRequest>): readonly PlacedSample[] {
  const { openedAt, mergedAt } = content?.mergedAt === undefined ? (inEvents ?? {}) : content
  if (mergedAt === undefined) return []
  const startedAt = firstCommitAt ?? openedAt ?? mergedAt
  return samplesOf(externalId, arrivals, { startedAt, openedAt, mergedAt })
}

/** Returns the lead times of a commit. A commit of a pull request has none, because it is a part of that change. */
export function samplesOfCommit({
  externalId,
  pullRequestIds,
  content,
  arrivals,
}: Known<Commit>): readonly PlacedSample[] {
  if (!content || pullRequestIds.length > 0) return []
  return samplesOf(externalId, arrivals, { startedAt: content.authoredAt, mergedAt: content.committedAt })
}

interface Moments {
  readonly startedAt: number
  readonly openedAt?: number | undefined
  readonly mergedAt: number
}

function samplesOf(changeId: string, arrivals: readonly Arrival[], { openedAt, ...moments }: Moments): PlacedSample[] {
  const earliest = new Map<string, Arrival>()
  for (const arrival of arrivals) {
    const place = `${arrival.environmentKey} ${arrival.applicationKey}`
    const other = earliest.get(place)
    // Arrivals are ordered by version, so of two at the same time the first is used.
    if (!other || arrival.deployedAt < other.deployedAt) earliest.set(place, arrival)
  }
  return Array.from(earliest.values(), ({ environmentKey, applicationKey, deployStartedAt, deployedAt }) => ({
    environmentKey,
    sample: storedSample({
      ...moments,
      ...(openedAt === undefined ? {} : { openedAt }),
      ...(deployStartedAt === undefined ? {} : { deployStartedAt }),
      externalId: `${applicationKey}:${changeId}`,
      applicationKey,
      deployedAt,
    }),
  }))
}
