import { projects } from '../../models/projects/project.ts'
import { deleteCard } from '../../operation/cards/delete-card.ts'

export const deleteProject = deleteCard(projects, {
  id: 'deleteProject',
  summary: 'Delete a project with everything in it',
  path: '/api/v2/projects/{projectKey}',
  access: { action: 'deleteProject', resource: 'proj/{projectKey}' },
  contents: true,
})
