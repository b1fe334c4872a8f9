import { type Repository, repositories } from '../../models/code-references/repository.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import type { Writer } from '../../storage/writer.ts'
import { branches } from './branch.ts'
import { repositoryResponse, repositorySettings, serializeRepository } from './repository-schema.ts'
import { writeStatistics } from './statistics.ts'

export const patchRepository = patchOperation(repositories, {
  id: 'patchRepository',
  summary: 'Update a repository',
  path: '/api/v2/code-refs/repositories/{repo}',
  freeParams: ['repo'],
  shows: { action: 'viewCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  settings: repositorySettings,
  // Accepts a merge patch too, because scanners send changes in this form.
  merge: true,
  async change({ tx }, patched, _, before) {
    if (patched.defaultBranch === before.defaultBranch) return patched
    return { ...patched, projectKeys: await countOtherBranch(tx, patched) }
  },
  response: repositoryResponse,
  serialize: serializeRepository,
})

/**
 * Replaces the statistics of a repository after a change of its default branch, because the new default branch has
 * other references.
 */
async function countOtherBranch(tx: Writer, repository: Repository): Promise<readonly string[]> {
  const branchKeys = { repo: repository.name, branch: repository.defaultBranch }
  const branch = await tx.get(branches, branchKeys)
  if (branch) tx.expect(branches, branchKeys, branch)
  return writeStatistics(tx, repository, branch)
}
