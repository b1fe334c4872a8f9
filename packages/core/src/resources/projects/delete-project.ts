import { operation } from '../../operation/operation.ts'
import { projects } from './project.ts'

export const deleteProject = operation({
  id: 'deleteProject',
  summary: 'Delete a project with everything in it',
  method: 'DELETE',
  path: '/api/v2/projects/{projectKey}',
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'deleteProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const project = (await context.tx.get(projects, params)) ?? context.fail('not_found')
    context.requireRevision(project.version)
    context.tx.remove(projects, params, project)
    context.tx.clear(projects.address.address(params))
  },
})
