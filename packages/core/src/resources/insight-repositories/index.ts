import { associateRepositoriesAndProjects } from './associate-repositories.ts'
import { deleteRepositoryProject } from './delete-repository-project.ts'
import { listInsightRepositories } from './list-insight-repositories.ts'

export const insightRepositoryOperations = [
  listInsightRepositories,
  associateRepositoriesAndProjects,
  deleteRepositoryProject,
] as const
