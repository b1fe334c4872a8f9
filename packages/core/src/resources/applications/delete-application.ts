import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { applications } from './application.ts'

export const deleteApplication = deleteOperation(applications, {
  id: 'deleteApplication',
  summary: 'Delete an application, but not its deployments; the next event creates it again',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/applications/{applicationKey}',
  beta: 'tagged',
  access: {
    action: 'deleteApplication',
    resource: 'proj/{projectKey}:env/{environmentKey}:application/{applicationKey}',
  },
})
