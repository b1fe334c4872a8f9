import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { branches, summaryOf } from './branch.ts'
import { branchWire, presentBranch } from './branch-wire.ts'
import { repositories } from './repository.ts'

export const listBranches = operation({
  id: 'listBranches',
  summary: "List a repository's branches by name, without their references",
  method: 'GET',
  path: '/api/v2/code-refs/repositories/{repo}/branches',
  freeParams: ['repo'],
  query: v.object(page()),
  success: { status: 200, body: collection(branchWire) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  async handle(context, { params, query }) {
    if (!(await context.tx.get(repositories, params))) context.fail('not_found')
    const { items, total } = await context.tx.listRows(branches, params, query)
    return {
      items: items.map((row) => presentBranch(context, params.repo, summaryOf(row))),
      totalCount: total,
      _links: pageLinks(context.url, query, total),
    }
  },
})
