import { repositories } from '../../models/code-references/repository.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { type Branch, branches } from './branch.ts'
import { branchRequest, branchResponse, serializeBranch } from './branch-schema.ts'
import { saveStatistics } from './statistics.ts'

export const putBranch = operation({
  id: 'putBranch',
  summary: 'Replace the references of a branch, or create the branch',
  method: 'PUT',
  path: '/api/v2/code-refs/repositories/{repo}/branches/{branch}',
  freeParams: ['repo', 'branch'],
  body: jsonBody(branchRequest),
  // This limit is enough for a hundred thousand hunks with their lines.
  bodyLimit: 40 * 1024 * 1024,
  success: { status: 200, body: branchResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error', 'updateSequenceId_conflict'],
  access: { action: 'updateCodeReferenceRepositoryBranches', resource: 'code-reference-repository/{repo}' },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    if (body.name !== params.branch) {
      fail('invalid_request', { errors: [{ attribute: 'name', reason: 'must equal the name in the path' }] })
    }
    const repository = (await tx.get(repositories, params)) ?? fail('not_found')
    const before = await tx.get(branches, params)
    if (before) context.requireRevision(before.version)
    if (isOvertaken(body, before)) fail('updateSequenceId_conflict')
    const after = before
      ? tx.follow(branches, params, before, { ...keepNumber(before), ...body, version: before.version })
      : tx.insert(branches, params, body)
    if (params.branch === repository.defaultBranch) await saveStatistics(tx, repository, body)
    else tx.expect(repositories, params, repository)
    context.setRevision(after.version)
    return serializeBranch(context, params.repo, after)
  },
})

/**
 * Returns true when a scan must not be stored. Scans can arrive in the wrong order; when both the new and the stored
 * scan are numbered, the new scan must have the greater number.
 */
function isOvertaken(scanned: Pick<Branch, 'updateSequenceId'>, stored: Branch | undefined): boolean {
  if (scanned.updateSequenceId === undefined || stored?.updateSequenceId === undefined) return false
  return scanned.updateSequenceId <= stored.updateSequenceId
}

/**
 * Returns the number of a scan, or no property for a scan without one: the stored number then remains, and scans with
 * earlier numbers stay rejected.
 */
function keepNumber({ updateSequenceId }: Branch): Pick<Branch, 'updateSequenceId'> {
  return updateSequenceId === undefined ? {} : { updateSequenceId }
}
