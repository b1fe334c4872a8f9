import { operation } from '../../operation/operation.ts'
import { environments } from './environment.ts'
import { environmentWire, presentEnvironment } from './environment-wire.ts'

export const getEnvironment = operation({
  id: 'getEnvironment',
  summary: 'Fetch an environment',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  success: { status: 200, body: environmentWire },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const environment = (await context.tx.get(environments, params)) ?? context.fail('not_found')
    context.revision(environment.version)
    return presentEnvironment(context, params.projectKey, environment)
  },
})
