import { maxRepositories, repositories } from '../../models/code-references/repository.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { repositoryRequest, repositoryResponse, serializeRepository } from './repository-schema.ts'

export const createRepository = createOperation(repositories, {
  id: 'createRepository',
  undo: { create: undefined },
  summary: 'Create a repository for code references',
  path: '/api/v2/code-refs/repositories',
  access: { action: 'createCodeReferenceRepository', resource: 'code-reference-repository/{body.name}' },
  body: repositoryRequest,
  async make(context, body) {
    const { tx, fail } = context
    const now = context.readClock()
    const { total } = await tx.listRows(repositories, {}, { limit: 0 })
    if (total >= maxRepositories) {
      fail('invalid_request', { message: `An account can have at most ${maxRepositories} repositories` })
    }
    return { ...body, projectKeys: [], createdAt: now }
  },
  keyOf: ({ name }) => name,
  chosen: true,
  response: repositoryResponse,
  serialize: serializeRepository,
})
