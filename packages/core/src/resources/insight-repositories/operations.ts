export { associateRepositoriesAndProjects } from './associate-repositories.ts'
export { deleteRepositoryProject } from './delete-repository-project.ts'
export { listInsightRepositories } from './list-insight-repositories.ts'
