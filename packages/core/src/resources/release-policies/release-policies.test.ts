import { describe, expect, it } from 'vitest'
import { allow, editor, failureOf, faultOf } from '../flags/test/flag-project.ts'
import { beta, releaseProject } from '../release-pipelines/test/release-project.ts'
import { inProduction, ranked } from './test/policy-project.ts'

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
    const plain = await addPolicy('b')
    expect(Object.keys(plain).sort()).toEqual(['_access', '_id', 'key', 'name', 'rank', 'releaseMethod'])
  })

  it('requires the beta header', async () => {
    const { addPolicy, send } = await releaseProject()
    await addPolicy('a')
    const path = '/api/v2/projects/web/release-policies/a'
    expect((await send('DELETE', path)).status).toBe(403)
    const answer = await send('DELETE', path, { headers: beta })
    expect(answer).toMatchObject({ status: 204 })
    expect(answer.body).toBeUndefined()
  })
})

describe('the ranks of policies', () => {
  it('start at 1 in order of creation, the default last', async () => {
    const { ranks } = await ranked()
    expect(await ranks()).toEqual({ a: 1, b: 2, c: 3, usual: 4 })
  })

  it('close the gap of a deleted policy', async () => {
    const { ranks, remove } = await ranked()
    await remove('b')
    expect(await ranks()).toEqual({ a: 1, c: 2, usual: 3 })
    await remove('usual')
    expect(await ranks()).toEqual({ a: 1, c: 2 })
  })

  it('are set by the keys of all policies with a scope', async () => {
    const { order, ranks } = await ranked()
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
    const { order, ranks } = await ranked()
    expect(await faultOf(order(keys))).toEqual({
      attribute: '',
      reason: 'must contain every policy with a scope exactly once',
    })
    expect(await ranks()).toEqual({ a: 1, b: 2, c: 3, usual: 4 })
  })

  it('require updateReleasePolicyRank for all policies', async () => {
    const { order } = await ranked()
    const some = editor(['updateReleasePolicyRank'], 'proj/web:release-policy/a')
    const others = editor(['updateReleasePolicy'], 'proj/web:release-policy/*')
    for (const by of [some, others]) {
      expect(await failureOf(order(['c', 'b', 'a'], by as never))).toMatchObject({ code: 'forbidden' })
    }
    const all = editor(['updateReleasePolicyRank'], 'proj/web:release-policy/*')
    expect(await order(['c', 'b', 'a'], all as never)).toHaveLength(3)
  })

  it('conflict with a policy that is created concurrently', async () => {
    const { order, addPolicy, ranks } = await ranked()
    const both = await Promise.allSettled([order(['c', 'b', 'a']), addPolicy('d', inProduction)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const after = Object.values(await ranks())
    expect(after).toEqual(after.map((_, at) => at + 1))
  })

  it('change when a policy gets or loses its scope', async () => {
    const { put, ranks } = await ranked()
    expect(await faultOf(put('a'))).toMatchObject({ attribute: 'scope' })
    expect((await put('usual', inProduction)).rank).toBe(4)
    expect((await put('a')).rank).toBe(4)
    expect(await ranks()).toEqual({ b: 1, c: 2, usual: 3, a: 4 })
  })
})

describe('listReleasePolicies', () => {
  it('returns pages by rank, with or without the default', async () => {
    const { listPolicies } = await ranked()
    const keys = async (query: object) => (await listPolicies(query)).items.map(({ key }) => key)
    expect(await keys({ limit: 2, offset: 2 })).toEqual(['c', 'usual'])
    expect(await keys({ excludeDefault: true })).toEqual(['a', 'b', 'c'])
    expect(await keys({ excludeDefault: 'false' })).toHaveLength(4)
    expect((await listPolicies({ excludeDefault: 'true', limit: 1 })).totalCount).toBe(3)
    expect(await faultOf(listPolicies({ excludeDefault: 'x' }))).toEqual({
      attribute: 'excludeDefault',
      reason: 'must be true or false',
    })
  })

  it('requires viewProject', async () => {
    const { api } = await ranked()
    const stranger = { as: { policy: [allow(['viewProject'], ['proj/other'])] } }
    expect(await failureOf(api.listReleasePolicies({ projectKey: 'web' }, stranger))).toMatchObject({
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

  it('accepts a deleted environment in an unchanged scope', async () => {
    const { put, api, as } = await ranked()
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'production' }, { as })
    expect((await put('a', inProduction)).scope?.environmentKeys).toEqual(['production'])
  })

  it('responds with 404 for an unknown policy, and requires its own action', async () => {
    const { put } = await ranked()
    expect(await failureOf(put('gone'))).toMatchObject({ code: 'not_found' })
    const ranker = editor(['updateReleasePolicyRank'], 'proj/web:release-policy/*')
    expect(await failureOf(put('a', inProduction, ranker as never))).toMatchObject({ code: 'forbidden' })
  })
})

describe('deleteReleasePolicy', () => {
  it('deletes a policy once, including the default', async () => {
    const { remove, getPolicy, addPolicy } = await ranked()
    await remove('usual')
    expect(await failureOf(getPolicy('usual'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(remove('usual'))).toEqual({
      code: 'not_found',
      message: 'Invalid resource identifier',
    })
    expect((await addPolicy('next')).rank).toBe(4)
  })

  it('requires its own action', async () => {
    const { api, ofPolicy } = await ranked()
    const by = (action: string) => ({ as: editor([action], 'proj/web:release-policy/a') })
    expect(await failureOf(api.deleteReleasePolicy(ofPolicy('a'), by('updateReleasePolicy')))).toMatchObject({
      code: 'forbidden',
    })
    await api.deleteReleasePolicy(ofPolicy('a'), by('deleteReleasePolicy'))
  })

  it('creates a change log entry about the pipeline', async () => {
    const { remove, api, as, pass } = await ranked()
    pass(1)
    await remove('a')
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    expect(items[0]).toMatchObject({
      kind: 'release-policy',
      accesses: [{ action: 'deleteReleasePolicy', resource: 'proj/web:release-policy/a' }],
    })
  })

  it('conflicts with a concurrent change of the policy', async () => {
    const { remove, put } = await ranked()
    const both = await Promise.allSettled([put('a', { ...inProduction, name: 'Other' }), remove('a')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
