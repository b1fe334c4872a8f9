import { deployments } from '../../models/deployments/deployment.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { deploymentEventRequest } from './deployment-event-schema.ts'
import { reportDeployments } from './report-deployments.ts'

export const createDeploymentEvent = operation({
  id: 'createDeploymentEvent',
  summary: 'Create a deployment event; the first event of a version creates its deployment',
  method: 'POST',
  path: '/api/v2/engineering-insights/deployment-events',
  beta: 'tagged',
  body: jsonBody(deploymentEventRequest),
  success: { status: 201 },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createDeployment',
    resource: 'proj/{body.projectKey}:env/{body.environmentKey}:deployment/*',
  },
  async handle(context, { body }) {
    const { projectKey, environmentKey, ...event } = body
    await reportDeployments(context, { projectKey, environmentKey }, [event], (reports) => {
      for (const { keys, before, after } of reports) {
        if (before) context.tx.follow(deployments, keys, before, { ...after, version: before.version })
        else context.tx.insert(deployments, keys, after)
      }
    })
  },
})
