import { repositories } from '../../models/code-references/repository.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { repositoryResponse, serializeRepository } from './repository-schema.ts'

export const getRepository = getOperation(repositories, {
  id: 'getRepository',
  summary: 'Get a repository',
  path: '/api/v2/code-refs/repositories/{repo}',
  freeParams: ['repo'],
  access: { action: 'viewCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  response: repositoryResponse,
  serialize: serializeRepository,
})
