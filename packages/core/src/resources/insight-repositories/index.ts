import { associatedRepositories } from '../../models/insight-repositories/project-repository.ts'
import { resource } from '../../operation/resource.ts'
import { associateRepositoriesAndProjects } from './associate-repositories.ts'
import { deleteRepositoryProject } from './delete-repository-project.ts'
import { listInsightRepositories } from './list-insight-repositories.ts'

export const insightRepositories = resource({
  title: 'Insight repositories',
  description: 'Repositories whose pull requests count for the insights of a project.',
  kinds: [{ shape: 'proj:repository', actions: ['associateRepository', 'dissociateRepository'] }],
  collections: [associatedRepositories],
  operations: [listInsightRepositories, associateRepositoriesAndProjects, deleteRepositoryProject],
})
