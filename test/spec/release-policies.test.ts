import { describe, expect, it } from 'vitest'
import { shop } from './account.ts'
import { type SpecOperation, sendTo, specTests } from './conformance.ts'

const policy = { key: 'careful', name: 'Careful', releaseMethod: 'immediate-release' as const }

const remove: SpecOperation = {
  id: 'deleteReleasePolicy',
  method: 'DELETE',
  path: '/api/v2/projects/{projectKey}/release-policies/{policyKey}',
  beta: 'declared',
  status: 204,
  errors: ['not_found'],
  async given({ api, by }) {
    await api.createReleasePolicy({ projectKey: 'web', body: policy }, by)
    return { params: { projectKey: 'web', policyKey: 'careful' } }
  },
}

specTests(remove)

describe('deleteReleasePolicy', () => {
  it('deletes the policy, whose key can be used again', async () => {
    const account = await shop()
    const ask = await remove.given(account)
    const answer = await sendTo(remove, account, ask)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: undefined })
    expect((await sendTo(remove, account, ask)).status).toBe(404)
    expect(await account.api.listReleasePolicies({ projectKey: 'web' }, account.by)).toMatchObject({ totalCount: 0 })
    await expect(remove.given(account)).resolves.toEqual(ask)
  })

  it('does not find the policy in another project', async () => {
    const account = await shop()
    const { params } = await remove.given(account)
    await account.api.createProject({ body: { key: 'app', name: 'App' } }, account.by)
    const answer = await sendTo(remove, account, { params: { ...params, projectKey: 'app' } })
    expect(answer.status).toBe(404)
    expect(await account.api.listReleasePolicies({ projectKey: 'web' }, account.by)).toMatchObject({ totalCount: 1 })
  })

  it('is forbidden for a caller with read rights only', async () => {
    const account = await shop()
    const ask = await remove.given(account)
    const as = await account.tokenOf({ effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] })
    expect((await sendTo(remove, account, ask, { as })).status).toBe(403)
    expect(await account.api.listReleasePolicies({ projectKey: 'web' }, account.by)).toMatchObject({ totalCount: 1 })
  })
})
