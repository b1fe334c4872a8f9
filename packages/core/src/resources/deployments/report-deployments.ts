import { type Deployment, deploymentEvents, deploymentIndex, deployments } from '../../models/deployments/deployment.ts'
import { type DeploymentEvent, type DeploymentState, stateOf } from '../../models/deployments/deployment-history.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { Fail } from '../../operation/errors.ts'
import type { Sample } from '../../storage/port.ts'
import type { IngestedDocument, Tally, Writer } from '../../storage/writer.ts'
import { createMissingApplications } from '../applications/create-missing-applications.ts'
import { requireUnchangedEnvironment } from '../environments/require-unchanged-environment.ts'
import type { PullRequestReport } from '../pull-requests/join-changes.ts'
import { type ChangeReports, reportChanges } from '../pull-requests/report-changes.ts'
import { advanceDeployment, type TimedEvent } from './advance-deployment.ts'
import { newArrivals } from './brought-changes.ts'
import type { DeploymentEventInput } from './deployment-event-schema.ts'
import { deploymentIds, environmentPartOfId } from './deployment-id.ts'

/** A deployment with the events that are reported now. */
export interface DeploymentReport extends IngestedDocument<Deployment, typeof deployments.template> {
  readonly after: Omit<Deployment, 'version'>
  readonly events: readonly TimedEvent[]
}

/**
 * Writes the reported events of the deployments of one environment, and everything that is derived from them: the index
 * of deployments, the series of events, the lead times of the changes, and the applications.
 *
 * @param events in any order. An event without a time gets the current time.
 * @param write writes the deployments. A caller with one event records the deployment in the change log; a caller with
 *   a batch does not.
 * @returns the environment, and the number of new events after the commit.
 */
export async function reportDeployments(
  context: Pick<WriteContext, 'tx' | 'readClock' | 'options'> & { readonly fail: Fail<'not_found'> },
  environmentKeys: EnvironmentKeys,
  events: readonly DeploymentEventInput[],
  write: (reports: readonly DeploymentReport[]) => void,
) {
  const { tx } = context
  const environment = await requireUnchangedEnvironment(context, environmentKeys)
  const reports = await advanceDeployments(context, environmentKeys, events)
  write(reports)
  indexDeployments(tx, environmentKeys, reports)
  const added = appendEvents(tx, environmentKeys, reports)
  await reportArrivals(context, environmentKeys.projectKey, reports)
  await createApplications(context, environmentKeys, events)
  return { environment, added }
}

/** Computes the deployments after events, without writing them. */
async function advanceDeployments(
  context: Pick<WriteContext, 'tx' | 'readClock'>,
  environmentKeys: EnvironmentKeys,
  events: readonly DeploymentEventInput[],
): Promise<readonly DeploymentReport[]> {
  const { tx } = context
  const now = context.readClock()
  const groups = new Map<string, TimedEvent[]>()
  for (const input of events) {
    // Keys and versions contain no space, so different pairs give different texts.
    const name = `${input.applicationKey} ${input.version}`
    const timedEvent: TimedEvent = { type: input.eventType, at: input.eventTime ?? now, input }
    const group = groups.get(name)
    if (group) group.push(timedEvent)
    else groups.set(name, [timedEvent])
  }
  const { projectKey, environmentKey } = environmentKeys
  const idOf = await deploymentIds(environmentKeys)
  const grouped = Array.from(groups.values(), (group) => {
    const { input } = group[0] as TimedEvent
    return { group, keys: { projectKey, environmentKey, deploymentID: idOf(input) } }
  })
  const existing = await tx.getMany(
    deployments,
    grouped.map(({ keys }) => keys),
  )
  return grouped.map(({ group, keys }, i) => {
    const before = existing[i]
    return { keys, before, after: advanceDeployment(before, group, { id: keys.deploymentID, now }), events: group }
  })
}

/**
 * Writes the index entry by which deployments are found by id. It exists after the first deployment of an environment.
 */
function indexDeployments(
  tx: Writer,
  { projectKey, environmentKey }: EnvironmentKeys,
  reports: readonly DeploymentReport[],
): void {
  const added = reports.find(({ before }) => !before)
  if (!added) return
  tx.ensure(deploymentIndex, { place: environmentPartOfId(added.keys.deploymentID) }, { projectKey, environmentKey })
}

// Shared by all samples without metadata. Most samples have none.
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
function appendEvents(tx: Writer, environmentKeys: EnvironmentKeys, reports: readonly DeploymentReport[]): Tally {
  const samples: Sample[] = []
  for (const { after, events } of reports) {
    const { id } = after
    const { kind } = stateOf(after.history)
    for (const { type, at, input } of events) {
      samples.push({
        id: `${id} ${type} ${at}`,
        at,
        label: input.applicationKey,
        values: numbersOf[type][kind],
        body: { deploymentID: id, eventType: type, metadata: input.eventMetadata ?? noMetadata },
      })
    }
  }
  return tx.append(deploymentEvents, environmentKeys, samples)
}

/**
 * Reports the pull requests and commits that arrived in the environment, with the properties in the events. A lead time
 * can be computed once both its start and its end were reported
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time).
 */
async function reportArrivals(
  context: Pick<WriteContext, 'tx' | 'options'>,
  projectKey: string,
  reports: readonly DeploymentReport[],
): Promise<void> {
  const pullRequests: [string, PullRequestReport][] = []
  const commits: ChangeReports['commits'][number][] = []
  for (const { keys, before, after, events } of reports) {
    for (const { input } of events) {
      for (const { externalId, startedAt, openedAt, mergedAt } of input.pullRequests ?? []) {
        const inEvents = openedAt === undefined ? { mergedAt } : { openedAt, mergedAt }
        pullRequests.push([externalId, { firstCommitAt: startedAt, inEvents }])
      }
    }
    for (const { kind, id, arrival } of newArrivals(keys.environmentKey, before, after)) {
      const report = [id, { arrivals: [arrival] }] as [string, { arrivals: [typeof arrival] }]
      if (kind === 'commit') commits.push(report)
      else pullRequests.push(report)
    }
  }
  if (pullRequests.length + commits.length > 0) await reportChanges(context, projectKey, { pullRequests, commits })
}

/** Creates the applications that are reported for the first time. */
async function createApplications(
  context: Pick<WriteContext, 'tx' | 'readClock'>,
  environmentKeys: EnvironmentKeys,
  events: readonly DeploymentEventInput[],
): Promise<void> {
  const { tx } = context
  const now = context.readClock()
  const eventsByApplication = new Map<string, DeploymentEventInput>()
  for (const event of events)
    if (!eventsByApplication.has(event.applicationKey)) eventsByApplication.set(event.applicationKey, event)
  await createMissingApplications(
    tx,
    environmentKeys,
    Array.from(
      eventsByApplication.values(),
      ({ applicationKey: key, applicationName: name, applicationKind: kind }) => ({
        key,
        name,
        kind,
      }),
    ),
    now,
  )
}
