import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { repositories } from './repository.ts'
import { presentRepository, repositoryWire } from './repository-wire.ts'

export const getRepository = getOperation(repositories, {
  id: 'getRepository',
  summary: 'Get a repository',
  path: '/api/v2/code-refs/repositories/{repo}',
  freeParams: ['repo'],
  access: { action: 'viewCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  response: repositoryWire,
  serialize: presentRepository,
})
