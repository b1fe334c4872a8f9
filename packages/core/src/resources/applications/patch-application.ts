import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { applications } from './application.ts'
import { applicationSettings, applicationWire, presentApplication } from './application-wire.ts'

export const patchApplication = patchOperation(applications, {
  id: 'patchApplication',
  summary: 'Update an application',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/applications/{applicationKey}',
  beta: 'tagged',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: applicationSettings,
  paths: ['/name', '/kind', '/description'],
  response: applicationWire,
  serialize: presentApplication,
})
