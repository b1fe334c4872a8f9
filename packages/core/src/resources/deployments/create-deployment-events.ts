import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { environments } from '../environments/environment.ts'
import { deployments } from './deployment.ts'
import { deploymentEventsRequest } from './deployment-event-wire.ts'
import {
  keepEvents,
  keepLeadTimes,
  nameApplications,
  placeDeployments,
  tellArrivals,
  toldDeployments,
} from './tell-deployments.ts'

export const createDeploymentEvents = operation({
  id: 'createDeploymentEvents',
  summary: 'Tell what happened to many deployments; events that are known already stay as they are',
  method: 'POST',
  path: '/api/v2/engineering-insights/deployment-events/batch',
  beta: 'tagged',
  body: jsonBody(deploymentEventsRequest),
  // Ten thousand events with metadata are some mebibytes.
  bodyLimit: 8 * 1024 * 1024,
  attempts: 5,
  success: { status: 201, body: v.object({ accepted: v.number(), added: v.number(), known: v.number() }) },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createDeployment',
    resource: 'proj/{body.projectKey}:env/{body.environmentKey}:deployment/*',
  },
  async handle(context, { body }) {
    const { tx } = context
    const { events, ...place } = body
    const environment = (await tx.get(environments, place)) ?? context.fail('not_found')
    tx.expect(environments, place, environment)
    const told = await toldDeployments(context, place, events)
    const fed = tx.feed(deployments, told)
    placeDeployments(tx, place, told)
    const added = keepEvents(tx, place, told)
    await keepLeadTimes(tx, place, environment, told)
    await tellArrivals(tx, place.projectKey, told)
    await nameApplications(context, place, events)
    // Thousands of deployments are one thing that happened: the log names whose they are.
    const applications = [...new Set(fed.map(({ after }) => after.applicationKey))].sort()
    if (fed.length > 0) tx.note(environments, place, environment, { set: 'deployments', added: applications })
    const accepted = events.length
    return () => ({ accepted, added: added.count, known: accepted - added.count })
  },
})
