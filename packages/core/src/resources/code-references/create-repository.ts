import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { mostRepositories, repositories } from './repository.ts'
import { presentRepository, repositoryRequest, repositoryWire } from './repository-wire.ts'

export const createRepository = operation({
  id: 'createRepository',
  summary: 'Create a repository to keep code references of',
  method: 'POST',
  path: '/api/v2/code-refs/repositories',
  body: jsonBody(repositoryRequest),
  success: { status: 201, body: repositoryWire },
  errors: ['invalid_request', 'optimistic_locking_error'],
  access: { action: 'createCodeReferenceRepository', resource: 'code-reference-repository/{body.name}' },
  async handle(context, { body }) {
    const { tx, now, fail } = context
    const { total } = await tx.listRows(repositories, {}, { limit: 0 })
    if (total >= mostRepositories) {
      fail('invalid_request', { message: `An account has at most ${mostRepositories} repositories` })
    }
    const repository = tx.insert(repositories, { repo: body.name }, { ...body, projectKeys: [], createdAt: now }, () =>
      fail('optimistic_locking_error', { message: `There is a repository ${body.name} already` }),
    )
    context.revision(repository.version)
    return presentRepository(context, repository)
  },
})
