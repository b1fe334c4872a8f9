import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { repositories } from './repository.ts'
import { repositoryResponse, serializeRepository } from './repository-schema.ts'

export const listRepositories = listOperation(repositories, {
  id: 'listRepositories',
  summary: 'List the repositories that the caller may view, by name',
  path: '/api/v2/code-refs/repositories',
  access: { open: true, why: 'the list omits what the caller may not view' },
  visible: 'viewCodeReferenceRepository',
  response: repositoryResponse,
  serialize: serializeRepository,
})
