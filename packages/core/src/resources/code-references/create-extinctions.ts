import { repositories } from '../../models/code-references/repository.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { extinctionIdentity, extinctions } from './extinction.ts'
import { extinctionsRequest } from './extinction-schema.ts'

export const createExtinctions = operation({
  id: 'createExtinctions',
  summary: 'Create extinction events of flags in a branch; events that exist stay unchanged',
  method: 'POST',
  path: '/api/v2/code-refs/repositories/{repo}/branches/{branch}/extinction-events',
  freeParams: ['repo', 'branch'],
  body: jsonBody(extinctionsRequest),
  success: { status: 201 },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'updateCodeReferenceRepositoryBranches', resource: 'code-reference-repository/{repo}' },
  async handle(context, { params, body }) {
    const { tx } = context
    const host = context.useHost()
    // The branch need not exist: the last reference is often removed by the merge after which the branch is deleted.
    const repository = (await tx.get(repositories, params)) ?? context.fail('not_found')
    tx.expect(repositories, params, repository)
    const newExtinctions = body.map((event) => ({ ...event, ...params }))
    const keys = await Promise.all(newExtinctions.map((extinction) => host.sha256(extinctionIdentity(extinction))))
    newExtinctions.forEach((extinction, i) => {
      tx.ensure(extinctions, { repo: params.repo, extinction: keys[i] as string }, extinction)
    })
  },
})
