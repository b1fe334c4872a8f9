import type { BroughtChange, Deployment } from '../../models/deployments/deployment.ts'
import type { DeploymentEvent } from '../../models/deployments/deployment-history.ts'
import type { Arrival } from '../../models/pull-requests/pull-request.ts'
import type { ToldEvent } from './deployment-event-wire.ts'

/*
 * The part of a deployment from which its arrivals follow, in whatever order its events come: its start times and the
 * changes that it brought. For a version that is deployed for years, such as `latest`, the newest of them are enough.
 */
const mostStarts = 1_000
const mostBrought = 5_000

type Starting = Pick<Deployment, 'history' | 'startTimes'>

interface TimedEvent extends DeploymentEvent {
  readonly told: ToldEvent
}

/** Returns the start times of a deployment with those of the events; the same array when nothing is new. */
export function withStarts(before: Starting, events: readonly DeploymentEvent[]): readonly number[] | undefined {
  const known = before.startTimes
  const fresh = events.flatMap(({ type, at }) => (type === 'started' && !known?.includes(at) ? [at] : []))
  if (fresh.length === 0) return known
  const earlier = startsOf(before)
  // Most deployments start once.
  if (fresh.length === 1 && (earlier.length === 0 || (earlier.length === 1 && earlier[0] === fresh[0]))) return fresh
  return [...new Set([...earlier, ...fresh])].sort((a, b) => a - b).slice(-mostStarts)
}

/** Returns the changes that a deployment brought with those of the events; the same array when nothing is new. */
export function withBrought(
  known: readonly BroughtChange[] | undefined,
  events: readonly TimedEvent[],
): readonly BroughtChange[] | undefined {
  const named = events.flatMap(({ at, told }) => namedIn(told, at))
  if (named.length === 0) return known
  const earliest = new Map(known?.map((one) => [addressOf(one), one]))
  let isNew = false
  for (const one of named) {
    const other = earliest.get(addressOf(one))
    if (other && other.at <= one.at) continue
    earliest.set(addressOf(one), one)
    isNew = true
  }
  return isNew ? [...earliest.values()].sort(inOrder).slice(-mostBrought) : known
}

function namedIn({ pullRequests = [], pullRequestIds = [], commitIds = [] }: ToldEvent, at: number): BroughtChange[] {
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

function inOrder(a: BroughtChange, b: BroughtChange): number {
  return a.at - b.at || (addressOf(a) < addressOf(b) ? -1 : 1)
}

/** A change, and its arrival by a deployment. */
export interface ArrivedChange extends Pick<BroughtChange, 'kind' | 'id'> {
  readonly arrival: Arrival
}

type Bringing = Starting & Pick<Deployment, 'applicationKey' | 'applicationVersion' | 'brought'>

/**
 * Returns the arrivals by a deployment that are new, or that have a new start time: the start may be reported long
 * after the end.
 *
 * @param before undefined for the first events of the deployment.
 */
export function freshArrivals(
  environmentKey: string,
  before: Bringing | undefined,
  after: Bringing,
): readonly ArrivedChange[] {
  const { applicationKey, applicationVersion, brought } = after
  if (!brought) return []
  if (brought === before?.brought && after.startTimes === before.startTimes) return []
  const known = new Map(before?.brought?.map((one) => [addressOf(one), one.at]))
  return brought.flatMap((one) => {
    const { kind, id, at } = one
    const deployStartedAt = startBefore(after, at)
    if (known.get(addressOf(one)) === at && before && startBefore(before, at) === deployStartedAt) return []
    const start = deployStartedAt === undefined ? {} : { deployStartedAt }
    return [{ kind, id, arrival: { environmentKey, applicationKey, applicationVersion, ...start, deployedAt: at } }]
  })
}

/**
 * Returns the start of the attempt that ended at a time, if it was reported. A later start belongs to another attempt.
 */
function startBefore(deployment: Starting, at: number): number | undefined {
  return startsOf(deployment).findLast((start) => start <= at)
}

/** Deployments that were stored before start times were have only the last one. */
function startsOf({ startTimes, history: { lastStartedAt } }: Starting): readonly number[] {
  return startTimes ?? (lastStartedAt === undefined ? [] : [lastStartedAt])
}
