import { environments } from '../../models/environments/environment.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { environmentResponse, environmentSettings, serializeEnvironment } from './environment-schema.ts'

export const patchEnvironment = patchOperation(environments, {
  id: 'patchEnvironment',
  summary: 'Update an environment',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: environmentSettings,
  response: environmentResponse,
  serialize: (context, environment, { projectKey }) => serializeEnvironment(context, projectKey, environment),
})
