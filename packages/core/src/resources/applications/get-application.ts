import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { applications } from './application.ts'
import { applicationResponse, serializeApplication } from './application-response.ts'

export const getApplication = getOperation(applications, {
  id: 'getApplication',
  summary: 'Get an application',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/applications/{applicationKey}',
  beta: 'tagged',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: applicationResponse,
  serialize: serializeApplication,
})
