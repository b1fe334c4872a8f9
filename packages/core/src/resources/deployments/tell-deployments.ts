import {
  type Deployment,
  deploymentEvents,
  deploymentPlaces,
  deployments,
} from '../../models/deployments/deployment.ts'
import { type DeploymentEvent, type DeploymentState, stateOf } from '../../models/deployments/deployment-history.ts'
import type { Place } from '../../models/lead-time/lead-time-day.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { Fail } from '../../operation/errors.ts'
import type { Sample } from '../../storage/port.ts'
import type { IngestedDocument, Tally, Writer } from '../../storage/writer.ts'
import { makeApplications } from '../applications/make-applications.ts'
import { standOnEnvironment } from '../environments/stand-on-environment.ts'
import type { ToldPullRequest } from '../pull-requests/join-changes.ts'
import { type ToldChanges, tellChanges } from '../pull-requests/tell-changes.ts'
import { advanced, type TimedEvent } from './advance-deployment.ts'
import { freshArrivals } from './brought-changes.ts'
import type { ToldEvent } from './deployment-event-wire.ts'
import { deploymentIds, placeOfId } from './deployment-id.ts'

/** A deployment with the events that are reported now. */
export interface ToldDeployment extends IngestedDocument<Deployment, typeof deployments.template> {
  readonly after: Omit<Deployment, 'version'>
  readonly events: readonly TimedEvent[]
}

/**
 * Writes the reported events of the deployments of one environment, and what follows from them: the index of
 * deployments, the series of events, the lead times of the changes, and the applications.
 *
 * @param events in any order. An event without a time happened now.
 * @param write writes the deployments: the change log records one in full, but not thousands.
 * @returns the environment, and the number of new events after the commit.
 */
export async function tellDeployments(
  context: Pick<WriteContext, 'tx' | 'readClock'> & { readonly fail: Fail<'not_found'> },
  place: Place,
  events: readonly ToldEvent[],
  write: (told: readonly ToldDeployment[]) => void,
) {
  const { tx } = context
  const environment = await standOnEnvironment(context, place)
  const told = await toldDeployments(context, place, events)
  write(told)
  placeDeployments(tx, place, told)
  const added = keepEvents(tx, place, told)
  await tellArrivals(tx, place.projectKey, told)
  await nameApplications(context, place, events)
  return { environment, added }
}

/** Computes the deployments after events, without writing them. */
async function toldDeployments(
  context: Pick<WriteContext, 'tx' | 'readClock'>,
  place: Place,
  events: readonly ToldEvent[],
): Promise<readonly ToldDeployment[]> {
  const { tx } = context
  const now = context.readClock()
  const groups = new Map<string, TimedEvent[]>()
  for (const told of events) {
    // Neither of the two contains a space.
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

/**
 * Writes the index entry by which deployments are found by id. It exists after the first deployment of an environment.
 */
function placeDeployments(tx: Writer, { projectKey, environmentKey }: Place, told: readonly ToldDeployment[]): void {
  const fresh = told.find(({ before }) => !before)
  if (!fresh) return
  tx.ensure(deploymentPlaces, { place: placeOfId(fresh.keys.deploymentID) }, { projectKey, environmentKey })
}

// Shared by all samples without metadata, which are most.
const noMetadata = Object.freeze({})
const numbersOf: Readonly<
  Record<DeploymentEvent['type'], Readonly<Record<DeploymentState['kind'], Sample['values']>>>
> = {
  started: { deployment: [null, 1, 0], redeployment: [null, 1, 1] },
  failed: { deployment: [0, 0, 0], redeployment: [0, 0, 1] },
  finished: { deployment: [1, 0, 0], redeployment: [1, 0, 1] },
  custom: { deployment: [null, 0, 0], redeployment: [null, 0, 1] },
}

/** Appends the events to their series. A repeated event has the same id and is not added again. */
function keepEvents(tx: Writer, place: Place, deployed: readonly ToldDeployment[]): Tally {
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

/**
 * Reports the changes that arrived, with the properties in the events. Their lead times are known after both ends were
 * reported (D25).
 */
async function tellArrivals(tx: Writer, projectKey: string, deployed: readonly ToldDeployment[]): Promise<void> {
  const pullRequests: [string, ToldPullRequest][] = []
  const commits: ToldChanges['commits'][number][] = []
  for (const { keys, before, after, events } of deployed) {
    for (const { told } of events) {
      for (const { externalId, startedAt, openedAt, mergedAt } of told.pullRequests ?? []) {
        const inEvents = openedAt === undefined ? { mergedAt } : { openedAt, mergedAt }
        pullRequests.push([externalId, { firstCommitAt: startedAt, inEvents }])
      }
    }
    for (const { kind, id, arrival } of freshArrivals(keys.environmentKey, before, after)) {
      const arrived = [id, { arrivals: [arrival] }] as [string, { arrivals: [typeof arrival] }]
      if (kind === 'commit') commits.push(arrived)
      else pullRequests.push(arrived)
    }
  }
  if (pullRequests.length + commits.length > 0) await tellChanges(tx, projectKey, { pullRequests, commits })
}

/** Creates the applications that are reported for the first time. */
async function nameApplications(
  context: Pick<WriteContext, 'tx' | 'readClock'>,
  place: Place,
  events: readonly ToldEvent[],
): Promise<void> {
  const { tx } = context
  const now = context.readClock()
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
