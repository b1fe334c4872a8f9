import { deployments } from '../../models/deployments/deployment.ts'
import { environments } from '../../models/environments/environment.ts'
import { jsonBody } from '../../operation/body.ts'
import { ingestResponse, ingestResponseSchema } from '../../operation/ingest-response.ts'
import { operation } from '../../operation/operation.ts'
import { deploymentEventsRequest } from './deployment-event-schema.ts'
import { reportDeployments } from './report-deployments.ts'

export const createDeploymentEvents = operation({
  id: 'createDeploymentEvents',
  summary: 'Create deployment events; events that exist stay unchanged',
  method: 'POST',
  path: '/api/v2/engineering-insights/deployment-events/batch',
  beta: 'tagged',
  body: jsonBody(deploymentEventsRequest),
  // Ten thousand events with metadata have a size of some mebibytes.
  bodyLimit: 8 * 1024 * 1024,
  success: { status: 201, body: ingestResponseSchema },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createDeployment',
    resource: 'proj/{body.projectKey}:env/{body.environmentKey}:deployment/*',
  },
  async handle(context, { body }) {
    const { tx } = context
    const { events, ...environmentKeys } = body
    const applications = new Set<string>()
    const { environment, added } = await reportDeployments(context, environmentKeys, events, (reports) => {
      for (const { after } of tx.ingest(deployments, reports)) applications.add(after.applicationKey)
    })
    // All deployments of the call share one entry of the change log, which names their applications.
    if (applications.size > 0) {
      tx.note(environments, environmentKeys, environment, { set: 'deployments', added: [...applications].sort() })
    }
    return () => ingestResponse(events.length, added.count)
  },
})
