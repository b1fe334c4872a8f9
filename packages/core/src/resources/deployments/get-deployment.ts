import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import { deploymentResponse, serializeDeployment } from './deployment-schema.ts'
import { activeDeployments, findDeployment } from './find-deployment.ts'

export const getDeployment = operation({
  id: 'getDeployment',
  summary: 'Get a deployment',
  method: 'GET',
  path: '/api/v2/engineering-insights/deployments/{deploymentID}',
  beta: 'tagged',
  query: v.object({ expand: expand('pullRequests') }),
  success: { status: 200, body: deploymentResponse },
  errors: ['invalid_request', 'not_found'],
  access: {
    open: true,
    why: 'the project is known only once the resource is loaded; without viewProject the response is 404',
  },
  async handle(context, { params, query }) {
    const { keys, document: deployment } = (await findDeployment(context, params)) ?? context.fail('not_found')
    const active = await activeDeployments(context.tx, keys, [deployment.applicationKey])
    context.setRevision(deployment.version)
    return serializeDeployment(context, deployment, { ...keys, ...query, active: active.has(deployment.id) })
  },
})
