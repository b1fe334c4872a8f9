import { environments } from '../../models/environments/environment.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { environmentResponse, serializeEnvironment } from './environment-schema.ts'

export const getEnvironment = getOperation(environments, {
  id: 'getEnvironment',
  summary: 'Get an environment',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: environmentResponse,
  serialize: (context, environment, { projectKey }) => serializeEnvironment(context, projectKey, environment),
})
