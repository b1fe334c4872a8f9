import { operation } from '../../operation/operation.ts'
import { repositories } from './repository.ts'
import { presentRepository, repositoryWire } from './repository-wire.ts'

export const getRepository = operation({
  id: 'getRepository',
  summary: 'Fetch a repository',
  method: 'GET',
  path: '/api/v2/code-refs/repositories/{repo}',
  freeParams: ['repo'],
  success: { status: 200, body: repositoryWire },
  errors: ['not_found'],
  access: { action: 'viewCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  async handle(context, { params }) {
    const repository = (await context.tx.get(repositories, params)) ?? context.fail('not_found')
    context.revision(repository.version)
    return presentRepository(context, repository)
  },
})
