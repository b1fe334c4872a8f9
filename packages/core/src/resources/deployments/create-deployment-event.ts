import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import type { Writer } from '../../storage/writer.ts'
import { type Environment, environments } from '../environments/environment.ts'
import { appendLeadTimes } from '../lead-time/append-lead-times.ts'
import { storedSample } from '../lead-time/lead-time-sample.ts'
import { type Deployment, deploymentEvents, deploymentPlaces, deployments } from './deployment.ts'
import { type DeploymentEventRequest, deploymentEventRequest } from './deployment-event-wire.ts'
import { type DeploymentEvent, type DeploymentHistory, stateOf, withEvent } from './deployment-history.ts'
import { deploymentId } from './deployment-id.ts'

export const createDeploymentEvent = operation({
  id: 'createDeploymentEvent',
  summary: 'Tell what happened to a deployment; the first event of a version makes its deployment',
  method: 'POST',
  path: '/api/v2/engineering-insights/deployment-events',
  beta: 'tagged',
  body: jsonBody(deploymentEventRequest),
  attempts: 5,
  success: { status: 201 },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createDeployment',
    resource: 'proj/{body.projectKey}:env/{body.environmentKey}:deployment/*',
  },
  async handle(context, { body }) {
    const { tx, host, now } = context
    const environment = (await tx.get(environments, body)) ?? context.fail('not_found')
    tx.expect(environments, body, environment)
    const event: DeploymentEvent = { type: body.eventType, at: body.eventTime ?? now }
    const id = await deploymentId(host, body)
    const keys = { projectKey: body.projectKey, environmentKey: body.environmentKey, deploymentID: id }
    const before = await tx.get(deployments, keys)
    const after = advanced(before ?? newDeployment(id, body, now), event, body)
    if (before) tx.follow(deployments, keys, before, after)
    else {
      tx.insert(deployments, keys, after)
      if (!(await tx.get(deploymentPlaces, keys))) tx.insert(deploymentPlaces, keys, placeOf(body))
    }
    keepEvent(tx, id, event, after.history, body)
    await keepLeadTimes(tx, environment, event, after.history, body)
  },
})

/** A deployment of which nothing has been told yet. */
type Announced = Omit<Deployment, 'history'> & { readonly history?: DeploymentHistory }

function newDeployment(id: string, body: DeploymentEventRequest, now: number): Announced {
  return {
    version: 0,
    id,
    applicationKey: body.applicationKey,
    applicationKind: 'server',
    applicationVersion: body.version,
    metadata: {},
    metadataAt: -1,
    pullRequests: [],
    archived: false,
    createdAt: now,
  }
}

/** A deployment after one more event; names as they were told last, metadata of the latest event that has any. */
function advanced(before: Announced, event: DeploymentEvent, body: DeploymentEventRequest): Deployment {
  const { applicationName, applicationKind, versionName, deploymentMetadata, pullRequests } = body
  const known = new Set(before.pullRequests.map((one) => one.externalId))
  const fresh = pullRequests.filter(({ externalId }) => !known.has(externalId) && known.add(externalId))
  const tells = deploymentMetadata !== undefined && event.at >= before.metadataAt
  return {
    ...before,
    ...(applicationName === undefined ? {} : { applicationName }),
    ...(applicationKind === undefined ? {} : { applicationKind }),
    ...(versionName === undefined ? {} : { versionName }),
    ...(tells ? { metadata: deploymentMetadata, metadataAt: event.at } : {}),
    pullRequests: fresh.length === 0 ? before.pullRequests : [...before.pullRequests, ...fresh],
    history: withEvent(before.history, event),
  }
}

function placeOf({ projectKey, environmentKey }: DeploymentEventRequest) {
  return { projectKey, environmentKey }
}

const ends: Readonly<Record<DeploymentEvent['type'], number | null>> = {
  started: null,
  failed: 0,
  finished: 1,
  custom: null,
}

/** Told again, an event has the same id and is not added again. */
function keepEvent(
  tx: Writer,
  id: string,
  { type, at }: DeploymentEvent,
  history: DeploymentHistory,
  body: DeploymentEventRequest,
): void {
  const content = { deploymentID: id, eventType: type, metadata: body.eventMetadata ?? {} }
  const start = type === 'started' ? 1 : 0
  const again = stateOf(history).kind === 'redeployment' ? 1 : 0
  tx.append(deploymentEvents, body, [
    { id: `${id} ${type} ${at}`, at, label: body.applicationKey, values: [ends[type], start, again], body: content },
  ])
}

/** What a finished deployment brought are samples of lead time (D25); a change counts once for each application. */
async function keepLeadTimes(
  tx: Writer,
  environment: Environment,
  { at }: DeploymentEvent,
  { lastStartedAt }: DeploymentHistory,
  body: DeploymentEventRequest,
): Promise<void> {
  if (body.pullRequests.length === 0) return
  const { applicationKey } = body
  const deployed = { applicationKey, deployedAt: at, deployStartedAt: lastStartedAt }
  const samples = body.pullRequests.map(({ externalId, startedAt, openedAt, mergedAt }) =>
    storedSample({ ...deployed, externalId: `${applicationKey}:${externalId}`, startedAt, openedAt, mergedAt }),
  )
  await appendLeadTimes(tx, body, environment, samples)
}
