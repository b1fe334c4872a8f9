import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { branches, referencesTo } from './branch.ts'
import { branchResponse, serializeBranch } from './branch-schema.ts'

export const getBranch = operation({
  id: 'getBranch',
  summary: 'Get a branch with its references, or only with the references to one project or flag',
  method: 'GET',
  path: '/api/v2/code-refs/repositories/{repo}/branches/{branch}',
  freeParams: ['repo', 'branch'],
  query: v.object({ projKey: v.optional(v.string()), flagKey: v.optional(v.string()) }),
  success: { status: 200, body: branchResponse },
  errors: ['not_found'],
  access: { action: 'viewCodeReferenceRepository', resource: 'code-reference-repository/{repo}' },
  async handle(context, { params, query }) {
    const branch = (await context.tx.get(branches, params)) ?? context.fail('not_found')
    context.setRevision(branch.version)
    return serializeBranch(context, params.repo, branch, referencesTo(branch.references, query))
  },
})
