import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import type { Writer } from '../../storage/unit-of-work.ts'
import { branches } from './branch.ts'
import { type Repository, repositories } from './repository.ts'
import { presentRepository, repositorySettings, repositoryWire } from './repository-wire.ts'
import { writeStatistics } from './statistics.ts'

const patchable = Object.keys(repositorySettings.entries).map((member) => `/${member}`)

export const patchRepository = operation({
  id: 'patchRepository',
  summary: 'Change a repository',
  method: 'PATCH',
  path: '/api/v2/code-refs/repositories/{repo}',
  freeParams: ['repo'],
  body: patchBody(patchable),
  success: { status: 200, body: repositoryWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: repositories.changeActions,
    resource: 'code-reference-repository/{repo}',
    shows: { action: 'viewCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  },
  async handle(context, { params, body }) {
    const before = (await context.tx.get(repositories, params)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    const patched = patchDocument(before, body, repositorySettings)
    const moved = patched.defaultBranch !== before.defaultBranch
    const projectKeys = moved ? await countOtherBranch(context.tx, patched) : before.projectKeys
    const after = context.tx.replace(repositories, params, before, { ...patched, projectKeys })
    context.revision(after.version)
    return presentRepository(context, after)
  },
})

/** Another default branch has other references: its statistics take the place of the old ones. */
async function countOtherBranch(tx: Writer, repository: Repository): Promise<readonly string[]> {
  const place = { repo: repository.name, branch: repository.defaultBranch }
  const branch = await tx.get(branches, place)
  if (branch) tx.expect(branches, place, branch)
  return writeStatistics(tx, repository, branch)
}
