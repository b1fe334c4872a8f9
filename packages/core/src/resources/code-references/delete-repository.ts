import { operation } from '../../operation/operation.ts'
import { repositories } from './repository.ts'
import { writeStatistics } from './statistics.ts'

export const deleteRepository = operation({
  id: 'deleteRepository',
  summary: 'Delete a repository with its branches and statistics',
  method: 'DELETE',
  path: '/api/v2/code-refs/repositories/{repo}',
  freeParams: ['repo'],
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'deleteCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  async handle(context, { params }) {
    const { tx } = context
    const repository = (await tx.get(repositories, params)) ?? context.fail('not_found')
    context.requireRevision(repository.version)
    // Statistics lie under their projects, where `clear` does not reach them.
    await writeStatistics(tx, repository, undefined)
    tx.remove(repositories, params, repository)
    tx.clear(repositories.address.address(params))
  },
})
