import * as v from 'valibot'
import { repositories } from '../../models/code-references/repository.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { branches, summaryOf } from './branch.ts'
import { branchResponse, serializeBranch } from './branch-schema.ts'

/** Maximum and default page size. Scanners do not support pages, and delete the branches that are not listed. */
const maxBranches = 10_000

export const listBranches = operation({
  id: 'listBranches',
  summary: 'List the branches of a repository by name, without their references',
  method: 'GET',
  path: '/api/v2/code-refs/repositories/{repo}/branches',
  freeParams: ['repo'],
  query: v.object(page({ limit: maxBranches, maxLimit: maxBranches })),
  success: { status: 200, body: collection(branchResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  async handle(context, { params, query }) {
    const [repository, { items, total }] = await Promise.all([
      context.tx.get(repositories, params),
      context.tx.listRows(branches, params, query),
    ])
    if (!repository) context.fail('not_found')
    return {
      items: items.map((row) => serializeBranch(context, params.repo, summaryOf(row))),
      totalCount: total,
      _links: pageLinks(context.url, query, total),
    }
  },
})
