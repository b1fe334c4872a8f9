import { describe, expect, it } from 'vitest'
import { clause, editor, failureOf, flagProject } from './test/flag-project.ts'

describe('deleteFlag', () => {
  it('returns 204 and deletes every configuration', async () => {
    const { create, get, instruct, send, account } = await flagProject()
    await create('f')
    await instruct('f', [{ kind: 'turnFlagOn' }])
    await instruct('f', [{ kind: 'turnFlagOn' }], { environmentKey: 'test' })
    expect(await send('DELETE', '/api/v2/flags/web/f')).toMatchObject({ status: 204, body: undefined })
    expect(await failureOf(get('f'))).toMatchObject({ code: 'not_found' })
    const remaining = await account.list({
      collection: 'flag-config',
      scope: '',
      deep: true,
      limit: 9,
      select: 'fields',
    })
    expect(remaining.items).toEqual([])
    const recreated = await create('f')
    expect(recreated).toMatchObject({ _version: 1, environments: { production: { on: false, version: 1 } } })
  })

  it('deletes the key sets that other resources store under its scopes', async () => {
    const { account, api, as, create, keysOf } = await flagProject()
    await create('f')
    const sets = ['proj/web:env/*:flag/f', 'proj/web:env/test:flag/f'].map((scope) => ({ name: 'kept', scope }))
    await account.commit(sets.map((set) => ({ do: 'add-keys', set, keys: ['x'] })))
    await api.deleteFlag(keysOf('f'), { as })
    expect(await Promise.all(sets.map((set) => account.countKeys(set)))).toEqual([0, 0])
  })

  it('releases its segments, which can then be deleted', async () => {
    const { api, as, create, instruct, segment, keysOf } = await flagProject()
    const { variations } = await create('f')
    await segment('beta')
    const clauses = [clause({ op: 'segmentMatch', values: ['beta'] })]
    await instruct('f', [{ kind: 'addRule', clauses, variationId: variations[0]?._id }])
    const keys = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    expect(await failureOf(api.deleteSegment(keys, { as }))).toMatchObject({ code: 'optimistic_locking_error' })
    await api.deleteFlag(keysOf('f'), { as })
    expect((await api.getSegment(keys, { as }))._flags).toEqual([])
    expect(await api.deleteSegment(keys, { as })).toBeUndefined()
  })

  it('fails while another flag has it as prerequisite', async () => {
    const { api, as, create, instruct, keysOf } = await flagProject()
    const { variations } = await create('base')
    await create('top')
    const prerequisite = { key: 'base', variationId: variations[0]?._id }
    await instruct('top', [{ kind: 'addPrerequisite', ...prerequisite }], { environmentKey: 'test' })
    expect(await failureOf(api.deleteFlag(keysOf('base'), { as }))).toEqual({
      code: 'optimistic_locking_error',
      message: 'The flag base is referred to by flag top. To remove these references with it, set detach=true.',
      referrers: [{ kind: 'flag', key: 'top', resource: 'proj/web:env/test:flag/top' }],
    })
    await api.deleteFlag(keysOf('top'), { as })
    expect(await api.deleteFlag(keysOf('base'), { as })).toBeUndefined()
  })

  it('requires deleteFlag, as operation and as instruction', async () => {
    const { api, create, keysOf } = await flagProject()
    await create('f')
    const callerWithoutRight = editor(['update*'], 'proj/*:env/*:flag/*')
    const remove = { instructions: [{ kind: 'deleteFlag' as const }] }
    expect(await failureOf(api.deleteFlag(keysOf('f'), { as: callerWithoutRight }))).toMatchObject({
      code: 'forbidden',
    })
    const deleteByInstruction = (as: typeof callerWithoutRight) =>
      api.patchFlag({ ...keysOf('f'), body: remove }, { as })
    expect(await failureOf(deleteByInstruction(callerWithoutRight))).toMatchObject({ code: 'forbidden' })
    expect(await deleteByInstruction(editor(['deleteFlag'], 'proj/web:env/*:flag/f'))).toMatchObject({ key: 'f' })
    expect(await failureOf(deleteByInstruction(callerWithoutRight))).toMatchObject({ code: 'not_found' })
  })

  it('fails when If-Match names another revision', async () => {
    const { create, instruct, send } = await flagProject()
    await create('f')
    const { headers } = await send('GET', '/api/v2/flags/web/f')
    await instruct('f', [{ kind: 'turnFlagOn' }])
    const rejected = await send('DELETE', '/api/v2/flags/web/f', { headers: { 'if-match': headers.etag as string } })
    expect(rejected.status).toBe(409)
  })
})
