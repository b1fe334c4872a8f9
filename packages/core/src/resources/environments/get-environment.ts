import { environments } from '../../models/environments/environment.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { environmentWire, presentEnvironment } from './environment-wire.ts'

export const getEnvironment = getOperation(environments, {
  id: 'getEnvironment',
  summary: 'Get an environment',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: environmentWire,
  serialize: (context, environment, { projectKey }) => presentEnvironment(context, projectKey, environment),
})
