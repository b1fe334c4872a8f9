import { associatedRepositories } from '../../models/insight-repositories/project-repository.ts'
import { projects } from '../../models/projects/project.ts'
import { operation } from '../../operation/operation.ts'

export const deleteRepositoryProject = operation({
  id: 'deleteRepositoryProject',
  summary: 'Delete the association of a repository with a project, but not the data from it',
  method: 'DELETE',
  path: '/api/v2/engineering-insights/repositories/{repositoryKey}/projects/{projectKey}',
  beta: 'tagged',
  freeParams: ['repositoryKey'],
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'dissociateRepository', resource: 'proj/{projectKey}:repository/{repositoryKey}' },
  async handle({ tx, fail }, { params }) {
    const { projectKey, repositoryKey } = params
    const project = (await tx.get(projects, params)) ?? fail('not_found')
    const associated = (await tx.get(associatedRepositories, params)) ?? fail('not_found')
    tx.remove(associatedRepositories, params, associated)
    tx.note(projects, { projectKey }, project, { set: 'repositories', removed: [repositoryKey] })
  },
})
