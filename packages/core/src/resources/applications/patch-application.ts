import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { applications } from './application.ts'
import { applicationResponse, applicationSettings, serializeApplication } from './application-response.ts'

export const patchApplication = patchOperation(applications, {
  id: 'patchApplication',
  summary: 'Update an application',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/applications/{applicationKey}',
  beta: 'tagged',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: applicationSettings,
  undo: { create: 'updateApplication' },
  paths: ['/name', '/kind', '/description'],
  response: applicationResponse,
  serialize: serializeApplication,
})
