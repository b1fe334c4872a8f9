import { projects } from '../../models/projects/project.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteProject = deleteOperation(projects, {
  id: 'deleteProject',
  summary: 'Delete a project and everything in it',
  path: '/api/v2/projects/{projectKey}',
  access: { action: 'deleteProject', resource: 'proj/{projectKey}' },
  contents: true,
})
