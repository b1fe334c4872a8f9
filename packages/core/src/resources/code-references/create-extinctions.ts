import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { type Extinction, extinctionId, extinctions } from './extinction.ts'
import { extinctionsRequest } from './extinction-wire.ts'
import { repositories } from './repository.ts'

export const createExtinctions = operation({
  id: 'createExtinctions',
  summary: 'Note that flags are referenced in a branch no more; what was noted before stays as it is',
  method: 'POST',
  path: '/api/v2/code-refs/repositories/{repo}/branches/{branch}/extinction-events',
  freeParams: ['repo', 'branch'],
  body: jsonBody(extinctionsRequest),
  success: { status: 201 },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'updateCodeReferenceRepositoryBranches', resource: 'code-reference-repository/{repo}' },
  async handle(context, { params, body }) {
    const { tx } = context
    // The branch itself may be gone: the last reference often leaves with the merge that deletes it.
    const repository = (await tx.get(repositories, params)) ?? context.fail('not_found')
    tx.expect(repositories, params, repository)
    const samples = body.map((event) => {
      const extinction: Extinction = { ...event, branch: params.branch }
      return { id: extinctionId(extinction), at: event.time, label: event.flagKey, values: [], body: extinction }
    })
    tx.append(extinctions, params, samples)
  },
})
