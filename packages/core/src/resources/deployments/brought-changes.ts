import type { BroughtChange, Deployment } from '../../models/deployments/deployment.ts'
import type { DeploymentEvent } from '../../models/deployments/deployment-history.ts'
import type { Arrival } from '../../models/pull-requests/pull-request.ts'
import type { DeploymentEventInput } from './deployment-event-schema.ts'

/*
 * Maximum numbers of start times and of changes that are stored with a deployment. The arrivals of the deployment are
 * computed from them, whatever the order of its events. A version that is deployed for years, such as `latest`, would
 * have very many; the newest are sufficient.
 */
const maxStarts = 1_000
const maxBrought = 5_000

type WithStarts = Pick<Deployment, 'history' | 'startTimes'>

interface TimedEvent extends DeploymentEvent {
  readonly input: DeploymentEventInput
}

/**
 * Adds the start times in the events to the start times of a deployment; returns the same array when nothing is new.
 */
export function withStarts(before: WithStarts, events: readonly DeploymentEvent[]): readonly number[] | undefined {
  const knownStarts = before.startTimes
  const newStarts = events.flatMap(({ type, at }) => (type === 'started' && !knownStarts?.includes(at) ? [at] : []))
  if (newStarts.length === 0) return knownStarts
  const earlier = startsOf(before)
  // Usually a deployment starts once.
  if (newStarts.length === 1 && (earlier.length === 0 || (earlier.length === 1 && earlier[0] === newStarts[0])))
    return newStarts
  return [...new Set([...earlier, ...newStarts])].sort((a, b) => a - b).slice(-maxStarts)
}

/** Adds the changes in the events to the changes of a deployment; returns the same array when nothing is new. */
export function withChanges(
  knownChanges: readonly BroughtChange[] | undefined,
  events: readonly TimedEvent[],
): readonly BroughtChange[] | undefined {
  const reported = events.flatMap(({ at, input }) => changesIn(input, at))
  if (reported.length === 0) return knownChanges
  const earliest = new Map(knownChanges?.map((change) => [addressOf(change), change]))
  let isNew = false
  for (const change of reported) {
    const earlier = earliest.get(addressOf(change))
    if (earlier && earlier.at <= change.at) continue
    earliest.set(addressOf(change), change)
    isNew = true
  }
  return isNew ? [...earliest.values()].sort(byTime).slice(-maxBrought) : knownChanges
}

function changesIn(
  { pullRequests = [], pullRequestIds = [], commitIds = [] }: DeploymentEventInput,
  at: number,
): BroughtChange[] {
  if (pullRequests.length + pullRequestIds.length + commitIds.length === 0) return []
  return [
    ...pullRequests.map(({ externalId: id }) => ({ kind: 'pullRequest', id, at }) as const),
    ...pullRequestIds.map((id) => ({ kind: 'pullRequest', id, at }) as const),
    ...commitIds.map((id) => ({ kind: 'commit', id, at }) as const),
  ]
}

function addressOf({ kind, id }: BroughtChange): string {
  return `${kind} ${id}`
}

function byTime(a: BroughtChange, b: BroughtChange): number {
  return a.at - b.at || (addressOf(a) < addressOf(b) ? -1 : 1)
}

/** A change (a pull request or a commit) and its arrival in an environment by a deployment. */
export interface ArrivedChange extends Pick<BroughtChange, 'kind' | 'id'> {
  readonly arrival: Arrival
}

type WithChanges = WithStarts & Pick<Deployment, 'applicationKey' | 'applicationVersion' | 'brought'>

/**
 * Returns the arrivals by a deployment that are new, or that have a new start time: the start may be reported long
 * after the end.
 *
 * @param before undefined for the first events of the deployment.
 */
export function newArrivals(
  environmentKey: string,
  before: WithChanges | undefined,
  after: WithChanges,
): readonly ArrivedChange[] {
  const { applicationKey, applicationVersion, brought } = after
  if (!brought) return []
  if (brought === before?.brought && after.startTimes === before.startTimes) return []
  const knownTimes = new Map(before?.brought?.map((change) => [addressOf(change), change.at]))
  return brought.flatMap((change) => {
    const { kind, id, at } = change
    const deployStartedAt = startBefore(after, at)
    if (knownTimes.get(addressOf(change)) === at && before && startBefore(before, at) === deployStartedAt) return []
    const start = deployStartedAt === undefined ? {} : { deployStartedAt }
    return [{ kind, id, arrival: { environmentKey, applicationKey, applicationVersion, ...start, deployedAt: at } }]
  })
}

/**
 * Returns the start of the attempt that ended at a time, if it was reported. A later start belongs to another attempt.
 */
function startBefore(deployment: WithStarts, time: number): number | undefined {
  return startsOf(deployment).findLast((start) => start <= time)
}

/** Deployments that were stored before start times were recorded have only the last start time. */
function startsOf({ startTimes, history: { lastStartedAt } }: WithStarts): readonly number[] {
  return startTimes ?? (lastStartedAt === undefined ? [] : [lastStartedAt])
}
