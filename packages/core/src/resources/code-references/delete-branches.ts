import * as v from 'valibot'
import { repositories } from '../../models/code-references/repository.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { named } from '../../rules/sentences/sentence.ts'
import { branches } from './branch.ts'
import { branchName } from './branch-schema.ts'
import { saveStatistics } from './statistics.ts'

const deleteRequest = v.pipe(v.array(branchName()), v.maxLength(10_000, 'must contain at most 10000 names'))

export const deleteBranches = operation({
  id: 'deleteBranches',
  summary: 'Delete branches by name; unknown names are ignored',
  method: 'POST',
  path: '/api/v2/code-refs/repositories/{repo}/branch-delete-tasks',
  freeParams: ['repo'],
  body: jsonBody(deleteRequest),
  // The task is complete before the response, so there is no task to return.
  success: { status: 200 },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'updateCodeReferenceRepositoryBranches', resource: 'code-reference-repository/{repo}' },
  async handle(context, { params, body }) {
    const { tx } = context
    const repository = (await tx.get(repositories, params)) ?? context.fail('not_found')
    // Branches are deleted by name, because reading them could take megabytes each.
    const values = [...new Set(body)]
    tx.describe(repositories, params, [({ it }) => `deleted ${named(values, 'branches')} of ${it}`])
    if (values.length > 0) tx.discardAll(branches, params, [{ op: 'anyOf', field: 'key', values }])
    // Another call can concurrently make one of these branches the default branch, which has statistics. That call
    // changes the repository, so this commit loses the race.
    if (values.includes(repository.defaultBranch)) await saveStatistics(tx, repository, undefined)
    else tx.expect(repositories, params, repository)
  },
})
