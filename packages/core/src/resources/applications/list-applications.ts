import { environments } from '../../models/environments/environment.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { applications } from './application.ts'
import { applicationResponse, serializeApplication } from './application-response.ts'

export const listApplications = listOperation(applications, {
  id: 'listApplications',
  summary: 'List the applications that were deployed to an environment, by key',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/applications',
  beta: 'tagged',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: environments,
  response: applicationResponse,
  serialize: serializeApplication,
})
