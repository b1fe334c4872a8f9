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

describe('a release policy in an answer', () => {
  it('has every field', async () => {
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

  it('has the usual values for what was left out', async () => {
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

  it('wants the beta header, as spec.md says', async () => {
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
  it('are counted from 1 as they come, the default behind all', async () => {
    const { ranks } = await ranked()
    expect(await ranks()).toEqual({ a: 1, b: 2, c: 3, usual: 4 })
  })

  it('close up when one is deleted', async () => {
    const { ranks, remove } = await ranked()
    await remove('b')
    expect(await ranks()).toEqual({ a: 1, c: 2, usual: 3 })
    await remove('usual')
    expect(await ranks()).toEqual({ a: 1, c: 2 })
  })

  it('are given anew by the keys of all that have a scope', async () => {
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
    ['one too few', ['a', 'b']],
    ['one too many', ['a', 'b', 'c', 'd']],
    ['one twice', ['a', 'b', 'c', 'c']],
    ['the default', ['a', 'b', 'c', 'usual']],
    ['none', []],
  ])('are not given by %s', async (_, keys) => {
    const { order, ranks } = await ranked()
    expect(await faultOf(order(keys))).toEqual({
      attribute: '',
      reason: 'must name every policy that has a scope exactly once',
    })
    expect(await ranks()).toEqual({ a: 1, b: 2, c: 3, usual: 4 })
  })

  it('need a right to all of them', async () => {
    const { order } = await ranked()
    const some = editor(['updateReleasePolicyRank'], 'proj/web:release-policy/a')
    const others = editor(['updateReleasePolicy'], 'proj/web:release-policy/*')
    for (const by of [some, others]) {
      expect(await failureOf(order(['c', 'b', 'a'], by as never))).toMatchObject({ code: 'forbidden' })
    }
    const all = editor(['updateReleasePolicyRank'], 'proj/web:release-policy/*')
    expect(await order(['c', 'b', 'a'], all as never)).toHaveLength(3)
  })

  it('are lost to a policy that comes at the same moment', async () => {
    const { order, addPolicy, ranks } = await ranked()
    const both = await Promise.allSettled([order(['c', 'b', 'a']), addPolicy('d', inProduction)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const after = Object.values(await ranks())
    expect(after).toEqual(after.map((_, at) => at + 1))
  })

  it('move when a policy gets a scope or loses it', async () => {
    const { put, ranks } = await ranked()
    expect(await faultOf(put('a'))).toMatchObject({ attribute: 'scope' })
    expect((await put('usual', inProduction)).rank).toBe(4)
    expect((await put('a')).rank).toBe(4)
    expect(await ranks()).toEqual({ b: 1, c: 2, usual: 3, a: 4 })
  })
})

describe('listReleasePolicies', () => {
  it('pages, by rank, with or without the default', async () => {
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

  it('is hidden from whoever may not view the project', async () => {
    const { api } = await ranked()
    const stranger = { as: { policy: [allow(['viewProject'], ['proj/other'])] } }
    expect(await failureOf(api.listReleasePolicies({ projectKey: 'web' }, stranger))).toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('putReleasePolicy', () => {
  it('replaces all that a caller can set; what is left out is reset', async () => {
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

  it('keeps the scope of an environment that was deleted since', async () => {
    const { put, api, as } = await ranked()
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'production' }, { as })
    expect((await put('a', inProduction)).scope?.environmentKeys).toEqual(['production'])
  })

  it('is 404 when there is none; needs its right', async () => {
    const { put } = await ranked()
    expect(await failureOf(put('gone'))).toMatchObject({ code: 'not_found' })
    const ranker = editor(['updateReleasePolicyRank'], 'proj/web:release-policy/*')
    expect(await failureOf(put('a', inProduction, ranker as never))).toMatchObject({ code: 'forbidden' })
  })
})

describe('deleteReleasePolicy', () => {
  it('deletes, once, the default as well', async () => {
    const { remove, getPolicy, addPolicy } = await ranked()
    await remove('usual')
    expect(await failureOf(getPolicy('usual'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(remove('usual'))).toEqual({
      code: 'not_found',
      message: 'Invalid resource identifier',
    })
    expect((await addPolicy('next')).rank).toBe(4)
  })

  it('needs its right', async () => {
    const { api, ofPolicy } = await ranked()
    const by = (action: string) => ({ as: editor([action], 'proj/web:release-policy/a') })
    expect(await failureOf(api.deleteReleasePolicy(ofPolicy('a'), by('updateReleasePolicy')))).toMatchObject({
      code: 'forbidden',
    })
    await api.deleteReleasePolicy(ofPolicy('a'), by('deleteReleasePolicy'))
  })

  it('is told in the change log as what it is', async () => {
    const { remove, api, as, pass } = await ranked()
    pass(1)
    await remove('a')
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    expect(items[0]).toMatchObject({
      kind: 'release-policy',
      accesses: [{ action: 'deleteReleasePolicy', resource: 'proj/web:release-policy/a' }],
    })
  })

  it('loses against a change of the policy that came between', async () => {
    const { remove, put } = await ranked()
    const both = await Promise.allSettled([put('a', { ...inProduction, name: 'Other' }), remove('a')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
