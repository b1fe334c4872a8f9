import type { WriteContext } from '../../operation/context.ts'
import type { Sample } from '../../storage/port.ts'
import type { FedDocument, Tally, Writer } from '../../storage/writer.ts'
import { makeApplications } from '../applications/make-applications.ts'
import type { Environment } from '../environments/environment.ts'
import { appendLeadTimes } from '../lead-time/append-lead-times.ts'
import type { Place } from '../lead-time/lead-time-day.ts'
import { storedSample } from '../lead-time/lead-time-sample.ts'
import type { Arrival } from '../pull-requests/pull-request.ts'
import { tellChanges } from '../pull-requests/tell-changes.ts'
import { advanced, type TimedEvent } from './advance-deployment.ts'
import { type Deployment, deploymentEvents, deploymentPlaces, deployments } from './deployment.ts'
import type { ToldEvent } from './deployment-event-wire.ts'
import { type DeploymentEvent, type DeploymentState, stateOf } from './deployment-history.ts'
import { deploymentIds, placeOfId } from './deployment-id.ts'

/** A deployment with the events that are told of it now. */
export interface ToldDeployment extends FedDocument<Deployment, typeof deployments.template> {
  readonly after: Omit<Deployment, 'version'>
  readonly events: readonly TimedEvent[]
}

/**
 * What becomes of deployments by events that happened in one environment: nothing is written yet.
 *
 * @param events in any order; one that does not say when it happened happened now.
 */
export async function toldDeployments(
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  place: Place,
  events: readonly ToldEvent[],
): Promise<readonly ToldDeployment[]> {
  const groups = new Map<string, TimedEvent[]>()
  for (const told of events) {
    // Neither of the two holds a space.
    const name = `${told.applicationKey} ${told.version}`
    const timed: TimedEvent = { type: told.eventType, at: told.eventTime ?? now, told }
    const group = groups.get(name)
    if (group) group.push(timed)
    else groups.set(name, [timed])
  }
  const { projectKey, environmentKey } = place
  const idOf = await deploymentIds(place)
  const grouped = Array.from(groups.values(), (group) => {
    const { told } = group[0] as TimedEvent
    return { group, keys: { projectKey, environmentKey, deploymentID: idOf(told) } }
  })
  const known = await tx.getMany(
    deployments,
    grouped.map(({ keys }) => keys),
  )
  return grouped.map(({ group, keys }, i) => {
    const before = known[i]
    return { keys, before, after: advanced(before, group, { id: keys.deploymentID, now }), events: group }
  })
}

/** Where deployments are found by their ids alone; it is there after the first one of an environment. */
export function placeDeployments(
  tx: Writer,
  { projectKey, environmentKey }: Place,
  told: readonly ToldDeployment[],
): void {
  const fresh = told.find(({ before }) => !before)
  if (!fresh) return
  tx.ensure(deploymentPlaces, { place: placeOfId(fresh.keys.deploymentID) }, { projectKey, environmentKey })
}

// Shared by all samples that say the same, as most do.
const noMetadata = Object.freeze({})
const numbersOf: Readonly<
  Record<DeploymentEvent['type'], Readonly<Record<DeploymentState['kind'], Sample['values']>>>
> = {
  started: { deployment: [null, 1, 0], redeployment: [null, 1, 1] },
  failed: { deployment: [0, 0, 0], redeployment: [0, 0, 1] },
  finished: { deployment: [1, 0, 0], redeployment: [1, 0, 1] },
  custom: { deployment: [null, 0, 0], redeployment: [null, 0, 1] },
}

/** Keeps the events themselves. Told again, an event has the same id and is not added again. */
export function keepEvents(tx: Writer, place: Place, deployed: readonly ToldDeployment[]): Tally {
  const samples: Sample[] = []
  for (const { after, events } of deployed) {
    const { id } = after
    const { kind } = stateOf(after.history)
    for (const { type, at, told } of events) {
      samples.push({
        id: `${id} ${type} ${at}`,
        at,
        label: told.applicationKey,
        values: numbersOf[type][kind],
        body: { deploymentID: id, eventType: type, metadata: told.eventMetadata ?? noMetadata },
      })
    }
  }
  return tx.append(deploymentEvents, place, samples)
}

/** What finished deployments brought are samples of lead time (D25); a change counts once for each application. */
export async function keepLeadTimes(
  tx: Writer,
  place: Place,
  environment: Pick<Environment, 'id'>,
  deployed: readonly ToldDeployment[],
): Promise<void> {
  const samples: Sample[] = []
  for (const { after, events } of deployed) {
    for (const { at, told } of events) {
      const { applicationKey, pullRequests } = told
      if (!pullRequests) continue
      for (const { externalId, startedAt, openedAt, mergedAt } of pullRequests) {
        samples.push(
          storedSample({
            applicationKey,
            externalId: `${applicationKey}:${externalId}`,
            deployedAt: at,
            deployStartedAt: startOf(after, at),
            startedAt,
            openedAt,
            mergedAt,
          }),
        )
      }
    }
  }
  if (samples.length > 0) await appendLeadTimes(tx, place, environment, samples)
}

/** Which changes arrived, of those that are told of by themselves: their lead times are known once both are told. */
export async function tellArrivals(tx: Writer, projectKey: string, deployed: readonly ToldDeployment[]): Promise<void> {
  const pullRequests: [string, { arrivals: readonly Arrival[] }][] = []
  const commits: [string, { arrivals: readonly Arrival[] }][] = []
  for (const { keys, after, events } of deployed) {
    for (const { at, told } of events) {
      if (!told.pullRequestIds && !told.commitIds) continue
      const { pullRequestIds = [], commitIds = [] } = told
      const deployStartedAt = startOf(after, at)
      const arrival: Arrival = {
        environmentKey: keys.environmentKey,
        applicationKey: told.applicationKey,
        applicationVersion: told.version,
        ...(deployStartedAt === undefined ? {} : { deployStartedAt }),
        deployedAt: at,
      }
      for (const id of pullRequestIds) pullRequests.push([id, { arrivals: [arrival] }])
      for (const id of commitIds) commits.push([id, { arrivals: [arrival] }])
    }
  }
  if (pullRequests.length + commits.length > 0) await tellChanges(tx, projectKey, { pullRequests, commits })
}

/** Makes the applications that are told of for the first time. */
export async function nameApplications(
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  place: Place,
  events: readonly ToldEvent[],
): Promise<void> {
  const named = new Map<string, ToldEvent>()
  for (const event of events) if (!named.has(event.applicationKey)) named.set(event.applicationKey, event)
  await makeApplications(
    tx,
    place,
    Array.from(named.values(), ({ applicationKey: key, applicationName: name, applicationKind: kind }) => ({
      key,
      name,
      kind,
    })),
    now,
  )
}

/** When the attempt began that ended at a time, as far as that was told: a later start is of another attempt. */
export function startOf({ history: { lastStartedAt } }: Pick<Deployment, 'history'>, at: number): number | undefined {
  return lastStartedAt !== undefined && lastStartedAt <= at ? lastStartedAt : undefined
}
