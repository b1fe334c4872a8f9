import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { environments } from '../environments/environment.ts'
import { deployments } from './deployment.ts'
import { deploymentEventRequest } from './deployment-event-wire.ts'
import {
  keepEvents,
  keepLeadTimes,
  nameApplications,
  placeDeployments,
  tellArrivals,
  toldDeployments,
} from './tell-deployments.ts'

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
    const { tx } = context
    const { projectKey, environmentKey, ...event } = body
    const place = { projectKey, environmentKey }
    const environment = (await tx.get(environments, place)) ?? context.fail('not_found')
    tx.expect(environments, place, environment)
    const told = await toldDeployments(context, place, [event])
    for (const { keys, before, after } of told) {
      if (before) tx.follow(deployments, keys, before, { ...after, version: before.version })
      else tx.insert(deployments, keys, after)
    }
    placeDeployments(tx, place, told)
    keepEvents(tx, place, told)
    await keepLeadTimes(tx, place, environment, told)
    await tellArrivals(tx, place.projectKey, told)
    await nameApplications(context, place, [event])
  },
})
