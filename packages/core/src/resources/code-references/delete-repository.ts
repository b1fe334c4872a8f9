import { repositories } from '../../models/code-references/repository.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { writeStatistics } from './statistics.ts'

export const deleteRepository = deleteOperation(repositories, {
  id: 'deleteRepository',
  summary: 'Delete a repository with its branches and statistics',
  path: '/api/v2/code-refs/repositories/{repo}',
  freeParams: ['repo'],
  access: { action: 'deleteCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  contents: true,
  // Statistics are stored under their projects, so deleting the contents of the repository does not delete them.
  also: async ({ tx }, repository) => void (await writeStatistics(tx, repository, undefined)),
})
