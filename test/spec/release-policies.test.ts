import { describe, expect, it } from 'vitest'
import { createShopAccount } from './account.ts'
import { type SpecOperation, sendTo, specTests } from './conformance.ts'

const policy = { key: 'careful', name: 'Careful', releaseMethod: 'immediate-release' as const }

const remove: SpecOperation = {
  id: 'deleteReleasePolicy',
  method: 'DELETE',
  path: '/api/v2/projects/{projectKey}/release-policies/{policyKey}',
  beta: 'declared',
  status: 204,
  errors: ['not_found'],
  async setUp({ api, caller }) {
    await api.createReleasePolicy({ projectKey: 'web', body: policy }, caller)
    return { params: { projectKey: 'web', policyKey: 'careful' } }
  },
}

specTests(remove)

describe('deleteReleasePolicy', () => {
  it('deletes the policy, whose key can be used again', async () => {
    const account = await createShopAccount()
    const input = await remove.setUp(account)
    const response = await sendTo(remove, account, input)
    expect({ status: response.status, body: response.body }).toEqual({ status: 204, body: undefined })
    expect((await sendTo(remove, account, input)).status).toBe(404)
    expect(await account.api.listReleasePolicies({ projectKey: 'web' }, account.caller)).toMatchObject({
      totalCount: 0,
    })
    await expect(remove.setUp(account)).resolves.toEqual(input)
  })

  it('does not find the policy in another project', async () => {
    const account = await createShopAccount()
    const { params } = await remove.setUp(account)
    await account.api.createProject({ body: { key: 'app', name: 'App' } }, account.caller)
    const response = await sendTo(remove, account, { params: { ...params, projectKey: 'app' } })
    expect(response.status).toBe(404)
    expect(await account.api.listReleasePolicies({ projectKey: 'web' }, account.caller)).toMatchObject({
      totalCount: 1,
    })
  })

  it('is forbidden for a caller with read rights only', async () => {
    const account = await createShopAccount()
    const input = await remove.setUp(account)
    const as = await account.tokenOf({ effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] })
    expect((await sendTo(remove, account, input, { as })).status).toBe(403)
    expect(await account.api.listReleasePolicies({ projectKey: 'web' }, account.caller)).toMatchObject({
      totalCount: 1,
    })
  })
})
