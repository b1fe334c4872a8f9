import { describe, expect, it } from 'vitest'
import { allow, editor, failureOf, validationErrorOf } from '../flags/test/flag-project.ts'
import { beta, releaseProject } from '../release-pipelines/test/release-project.ts'
import { inProduction, rankedPolicies } from './test/policy-project.ts'

const stages = [{ allocation: 25_000, durationMillis: 60_000 }]

const guardedReleaseConfig = {
  rolloutContextKindKey: 'user',
  minSampleSize: 100,
  rollbackOnRegression: true,
  metricKeys: ['errors'],
  metricGroupKeys: ['guardrails'],
  stages,
}

describe('a release policy in a response', () => {
  it('has all properties', async () => {
    const { addPolicy, getPolicy } = await releaseProject()
    const { _access, ...policy } = await addPolicy('careful', {
      name: 'Careful',
      releaseMethod: 'guarded-release',
      scope: { environmentKeys: ['production'], flagTagKeys: ['pay'] },
      guardedReleaseConfig,
    })
    expect(policy).toEqual({
      _id: expect.stringMatching(/^id-/),
      key: 'careful',
      name: 'Careful',
      releaseMethod: 'guarded-release',
      rank: 1,
      scope: { environmentKeys: ['production'], flagTagKeys: ['pay'] },
      guardedReleaseConfig,
    })
    expect(_access.allowed.map(({ action }) => action)).toEqual([
      'createReleasePolicy',
      'updateReleasePolicy',
      'updateReleasePolicyRank',
      'deleteReleasePolicy',
    ])
    expect(await getPolicy('careful')).toEqual({ _access, ...policy })
  })

  it('has default values for omitted properties', async () => {
    const { addPolicy } = await releaseProject()
    const guarded = await addPolicy('a', {
      releaseMethod: 'guarded-release',
      scope: { flagTagKeys: ['pay'] },
      guardedReleaseConfig: {},
    })
    expect(guarded.scope).toEqual({ environmentKeys: [], flagTagKeys: ['pay'] })
    expect(guarded.guardedReleaseConfig).toEqual({
      rollbackOnRegression: false,
      metricKeys: [],
      metricGroupKeys: [],
      stages: [],
    })
    const withoutScope = await addPolicy('b')
    expect(Object.keys(withoutScope).sort()).toEqual(['_access', '_id', 'key', 'name', 'rank', 'releaseMethod'])
  })

  it('requires the beta header', async () => {
    const { addPolicy, send } = await releaseProject()
    await addPolicy('a')
    const path = '/api/v2/projects/web/release-policies/a'
    expect((await send('DELETE', path)).status).toBe(403)
    const response = await send('DELETE', path, { headers: beta })
    expect(response).toMatchObject({ status: 204 })
    expect(response.body).toBeUndefined()
  })
})

describe('the ranks of policies', () => {
  it('start at 1 in order of creation, the default last', async () => {
    const { ranks } = await rankedPolicies()
    expect(await ranks()).toEqual({ a: 1, b: 2, c: 3, usual: 4 })
  })

  it('close the gap of a deleted policy', async () => {
    const { ranks, remove } = await rankedPolicies()
    await remove('b')
    expect(await ranks()).toEqual({ a: 1, c: 2, usual: 3 })
    await remove('usual')
    expect(await ranks()).toEqual({ a: 1, c: 2 })
  })

  it('are set by the keys of all policies with a scope', async () => {
    const { order, ranks } = await rankedPolicies()
    const policies = await order(['c', 'a', 'b'])
    expect(policies.map(({ key, rank }) => [key, rank])).toEqual([
      ['c', 1],
      ['a', 2],
      ['b', 3],
    ])
    expect(await ranks()).toEqual({ c: 1, a: 2, b: 3, usual: 4 })
  })

  it.each([
    ['a missing key', ['a', 'b']],
    ['an additional key', ['a', 'b', 'c', 'd']],
    ['a repeated key', ['a', 'b', 'c', 'c']],
    ['the default', ['a', 'b', 'c', 'usual']],
    ['none', []],
  ])('are not set by %s', async (_, keys) => {
    const { order, ranks } = await rankedPolicies()
    expect(await validationErrorOf(order(keys))).toEqual({
      attribute: '',
      reason: 'must contain every policy with a scope exactly once',
    })
    expect(await ranks()).toEqual({ a: 1, b: 2, c: 3, usual: 4 })
  })

  it('require updateReleasePolicyRank for all policies', async () => {
    const { order } = await rankedPolicies()
    const callerForOne = editor(['updateReleasePolicyRank'], 'proj/web:release-policy/a')
    const callerWithOtherAction = editor(['updateReleasePolicy'], 'proj/web:release-policy/*')
    for (const caller of [callerForOne, callerWithOtherAction]) {
      expect(await failureOf(order(['c', 'b', 'a'], caller as never))).toMatchObject({ code: 'forbidden' })
    }
    const all = editor(['updateReleasePolicyRank'], 'proj/web:release-policy/*')
    expect(await order(['c', 'b', 'a'], all as never)).toHaveLength(3)
  })

  it('include a policy that is created concurrently', async () => {
    const { order, addPolicy, ranks } = await rankedPolicies()
    const [ordered, added] = await Promise.allSettled([order(['c', 'b', 'a']), addPolicy('d', inProduction)])
    expect(added.status).toBe('fulfilled')
    const [first, second, third] = ordered.status === 'fulfilled' ? ['c', 'b', 'a'] : ['a', 'b', 'c']
    const { [first]: one, [second]: two, [third]: three, d } = (await ranks()) as Readonly<Record<string, number>>
    expect([one, two, three, d]).toEqual([1, 2, 3, 4])
  })

  it('change when a policy gets or loses its scope', async () => {
    const { put, ranks } = await rankedPolicies()
    expect(await validationErrorOf(put('a'))).toMatchObject({ attribute: 'scope' })
    expect((await put('usual', inProduction)).rank).toBe(4)
    expect((await put('a')).rank).toBe(4)
    expect(await ranks()).toEqual({ b: 1, c: 2, usual: 3, a: 4 })
  })
})

describe('listReleasePolicies', () => {
  it('returns pages by rank, with or without the default', async () => {
    const { listPolicies } = await rankedPolicies()
    const keys = async (query: object) => (await listPolicies(query)).items.map(({ key }) => key)
    expect(await keys({ limit: 2, offset: 2 })).toEqual(['c', 'usual'])
    expect(await keys({ excludeDefault: true })).toEqual(['a', 'b', 'c'])
    expect(await keys({ excludeDefault: 'false' })).toHaveLength(4)
    expect((await listPolicies({ excludeDefault: 'true', limit: 1 })).totalCount).toBe(3)
    expect(await validationErrorOf(listPolicies({ excludeDefault: 'x' }))).toEqual({
      attribute: 'excludeDefault',
      reason: 'must be true or false',
    })
  })

  it('requires viewProject', async () => {
    const { api } = await rankedPolicies()
    const otherProjectViewer = { as: { policy: [allow(['viewProject'], ['proj/other'])] } }
    expect(await failureOf(api.listReleasePolicies({ projectKey: 'web' }, otherProjectViewer))).toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('putReleasePolicy', () => {
  it('replaces all properties, and resets omitted ones', async () => {
    const { addPolicy, api, ofPolicy, as } = await releaseProject()
    const before = await addPolicy('careful', {
      releaseMethod: 'guarded-release',
      ...inProduction,
      guardedReleaseConfig,
    })
    const body = { name: 'Quick', releaseMethod: 'progressive-release', progressiveReleaseConfig: { stages } } as const
    const { _access, ...after } = await api.putReleasePolicy({ ...ofPolicy('careful'), body }, { as })
    expect(after).toEqual({ _id: before._id, key: 'careful', rank: 1, ...body })
  })

  it('accepts an unchanged scope after an environment of it was deleted', async () => {
    const { put, api, as } = await rankedPolicies()
    await put('a', { scope: { environmentKeys: ['production', 'test'] } })
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'production', detach: true }, { as })
    const scope = { environmentKeys: ['test'] }
    expect((await put('a', { scope })).scope).toMatchObject(scope)
  })

  it('responds with 404 for an unknown policy, and requires its own action', async () => {
    const { put } = await rankedPolicies()
    expect(await failureOf(put('gone'))).toMatchObject({ code: 'not_found' })
    const callerWhoRanks = editor(['updateReleasePolicyRank'], 'proj/web:release-policy/*')
    expect(await failureOf(put('a', inProduction, callerWhoRanks as never))).toMatchObject({ code: 'forbidden' })
  })
})

describe('deleteReleasePolicy', () => {
  it('deletes a policy once, including the default', async () => {
    const { remove, getPolicy, addPolicy } = await rankedPolicies()
    await remove('usual')
    expect(await failureOf(getPolicy('usual'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(remove('usual'))).toEqual({
      code: 'not_found',
      message: 'Invalid resource identifier',
    })
    expect((await addPolicy('next')).rank).toBe(4)
  })

  it('requires its own action', async () => {
    const { api, ofPolicy } = await rankedPolicies()
    const caller = (action: string) => ({ as: editor([action], 'proj/web:release-policy/a') })
    expect(await failureOf(api.deleteReleasePolicy(ofPolicy('a'), caller('updateReleasePolicy')))).toMatchObject({
      code: 'forbidden',
    })
    await api.deleteReleasePolicy(ofPolicy('a'), caller('deleteReleasePolicy'))
  })

  it('creates a change log entry about the policy', async () => {
    const { remove, api, as, pass } = await rankedPolicies()
    pass(1)
    await remove('a')
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    expect(items[0]).toMatchObject({
      kind: 'release-policy',
      accesses: [{ action: 'deleteReleasePolicy', resource: 'proj/web:release-policy/a' }],
    })
  })

  it('succeeds during a concurrent change of the policy, which comes before it or fails', async () => {
    const { remove, put, getPolicy } = await rankedPolicies()
    const [, removal] = await Promise.allSettled([put('a', { ...inProduction, name: 'Other' }), remove('a')])
    expect(removal.status).toBe('fulfilled')
    expect(await failureOf(getPolicy('a'))).toMatchObject({ code: 'not_found' })
  })
})
