import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import type { Writer } from '../../storage/writer.ts'
import { branches } from './branch.ts'
import { type Repository, repositories } from './repository.ts'
import { presentRepository, repositorySettings, repositoryWire } from './repository-wire.ts'
import { writeStatistics } from './statistics.ts'

export const patchRepository = patchOperation(repositories, {
  id: 'patchRepository',
  summary: 'Update a repository',
  path: '/api/v2/code-refs/repositories/{repo}',
  freeParams: ['repo'],
  shows: { action: 'viewCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  settings: repositorySettings,
  // Scanners send changes as a merge patch.
  merge: true,
  async change({ tx }, patched, _, before) {
    if (patched.defaultBranch === before.defaultBranch) return patched
    return { ...patched, projectKeys: await countOtherBranch(tx, patched) }
  },
  response: repositoryWire,
  serialize: presentRepository,
})

/** Another default branch has other references, so its statistics replace the previous ones. */
async function countOtherBranch(tx: Writer, repository: Repository): Promise<readonly string[]> {
  const place = { repo: repository.name, branch: repository.defaultBranch }
  const branch = await tx.get(branches, place)
  if (branch) tx.expect(branches, place, branch)
  return writeStatistics(tx, repository, branch)
}
