import { environments } from '../../models/environments/environment.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { environmentSettings, environmentWire, presentEnvironment } from './environment-wire.ts'

export const patchEnvironment = patchOperation(environments, {
  id: 'patchEnvironment',
  summary: 'Update an environment',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: environmentSettings,
  response: environmentWire,
  serialize: (context, environment, { projectKey }) => presentEnvironment(context, projectKey, environment),
})
