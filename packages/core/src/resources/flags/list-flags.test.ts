import { describe, expect, it } from 'vitest'
import { engineRequest } from '../account/test/calls.ts'
import { clause, editor, failureOf, flagProject, start, validationErrorOf } from './test/flag-project.ts'

describe('listFlags', () => {
  async function projectWithFlags() {
    const project = await flagProject()
    const { api, as, create, instruct, pass, memberId } = project
    await create('b', { name: 'Alpha', tags: ['pay', 'web'] })
    pass(1)
    await create('a', { name: 'Gamma', tags: ['pay'], temporary: false, maintainerTeamKey: 'growth' })
    pass(1)
    await create('c', { name: 'Beta' })
    await create('old')
    await create('gone')
    await instruct('old', [{ kind: 'deprecateFlag' }])
    await instruct('gone', [{ kind: 'archiveFlag' }])
    const list = async (query: object = {}) => api.listFlags({ projectKey: 'web', ...query }, { as })
    const keys = async (query: object) => (await list(query)).items.map(({ key }) => key).join(' ')
    return { ...project, memberId, list, keys }
  }

  it('pages through flags by name, without archived ones', async () => {
    const { list, keys } = await projectWithFlags()
    expect(await keys({})).toBe('b c a old')
    const page = await list({ limit: 2, offset: 2 })
    expect(page.items.map(({ key }) => key)).toEqual(['a', 'old'])
    expect(page.totalCount).toBe(4)
    expect(page._links).toEqual({
      self: { href: '/api/v2/flags/web?limit=2&offset=2', type: 'application/json' },
      first: { href: '/api/v2/flags/web?limit=2&offset=0', type: 'application/json' },
      prev: { href: '/api/v2/flags/web?limit=2&offset=0', type: 'application/json' },
    })
  })

  it.each([
    ['-name', 'old a c b'],
    ['key', 'a b c old'],
    ['-key', 'old c b a'],
    ['creationDate', 'b a c old'],
    ['-creationDate', 'c old a b'],
    ['type,-key', 'a old c b'],
    ['-type', 'b c old a'],
    ['-maintainerId,name', 'b c old a'],
    ['tags', 'c old a b'],
    ['-tags', 'b a c old'],
    ['-tags,-key', 'b a old c'],
  ])('sorts by %s', async (sort, expected) => {
    const { keys } = await projectWithFlags()
    expect(await keys({ sort })).toBe(expected)
  })

  it.each([
    [{ archived: true }, 'gone'],
    [{ archived: 'true', filter: 'state:live' }, ''],
    [{ archived: false }, 'b c a old'],
    [{ compare: 'false' }, 'b c a old'],
  ])('returns archived flags only when the query %j requests them', async (query, expected) => {
    const { keys } = await projectWithFlags()
    expect(await keys(query)).toBe(expected)
  })

  it.each([
    ['query:alph', 'b'],
    ['query:OLD', 'old'],
    ['tags:pay', 'b a'],
    ['tags:pay+web', 'b'],
    ['tags:pay web', 'b'],
    ['type:temporary', 'b c old'],
    ['type:permanent', 'a'],
    ['state:live', 'b c a'],
    ['state:deprecated', 'old'],
    ['state:archived', 'gone'],
    ['state:live+archived', 'b c a gone'],
    ['archived:true', 'gone'],
    ['archived:false', 'b c a old'],
    ['maintainerTeamKey:growth', 'a'],
    ['tags:pay,type:temporary', 'b'],
    ['tags:none', ''],
  ])('filters by %s', async (filter, expected) => {
    const { keys } = await projectWithFlags()
    expect(await keys({ filter })).toBe(expected)
  })

  it('filters by running releases and scheduled changes in an environment, including configurations of earlier versions', async () => {
    const { account, api, as, keys, instruct, keysOf, create } = await projectWithFlags()
    for (const key of ['slow', 'over']) {
      const { variations } = await create(key)
      const [targetVariationId, originalVariationId] = variations.map(({ _id }) => _id)
      const stages = [{ allocation: 0, durationMillis: 1_000 }]
      const release = { releaseKind: 'progressive', targetVariationId, originalVariationId, stages }
      await instruct(key, [{ kind: 'startAutomatedRelease', ...release }])
      const stop = { kind: 'stopAutomatedRelease', finalVariationId: targetVariationId }
      if (key === 'over') await instruct(key, [stop])
    }
    await instruct('a', [{ kind: 'turnFlagOn' }])
    const change = { instructions: [{ kind: 'turnFlagOn' as const }], executionDate: 8_000_000_000_000 }
    await api.createScheduledChange({ ...keysOf('c'), environmentKey: 'test', body: change }, { as })
    expect(await keys({ filter: 'releasingIn:production' })).toBe('slow')
    expect(await keys({ filter: 'releasingIn:test+none' })).toBe('')
    expect(await keys({ filter: 'scheduledIn:test' })).toBe('c')
    expect(await keys({ filter: 'scheduledIn:production+test,type:temporary' })).toBe('c')
    expect(await keys({ filter: 'scheduledIn:production' })).toBe('')
    const query = { collection: 'flag-config', scope: 'proj/web:env/production', select: 'fields' } as const
    for (const { key, scope, version, fields } of (await account.list({ ...query, limit: 10 })).items) {
      const id = { collection: 'flag-config', scope, key }
      const { releasing, ...before } = fields
      expect(releasing).toBe(key === 'slow')
      const [stored] = await account.getMany([id])
      await account.commit([{ do: 'replace', id, version, body: stored?.body, fields: before }])
    }
    expect(await keys({ filter: 'releasingIn:production' })).toBe('slow')
  })

  it('omits _access, which only a single flag has', async () => {
    const { api, create, get, as } = await flagProject()
    await create('checkout')
    const { items } = await api.listFlags({ projectKey: 'web' }, { as })
    const { _access, environments, ...flag } = await get('checkout')
    expect(items).toEqual([flag])
    expect(_access?.allowed.length).toBeGreaterThan(0)
  })

  it('filters by maintainer and by tag', async () => {
    const { keys, memberId } = await projectWithFlags()
    expect(await keys({ filter: `maintainerId:${memberId}` })).toBe('b c old')
    expect(await keys({ tag: 'pay' })).toBe('b a')
    expect(await keys({ tag: 'web', filter: 'tags:pay' })).toBe('b')
  })

  it.each([
    ['filter', 'colour:red'],
    ['filter', 'toString:x'],
    ['filter', 'tags'],
    ['filter', 'type:other'],
    ['filter', 'state:live+dead'],
    ['filter', 'archived:maybe'],
    ['filter', 'hasExperiment:maybe'],
    ['filter', 'codeReferences.min:few'],
    ['filter', 'codeReferences.max:1+2'],
    ['filter', 'evaluated:yes'],
    ['filter', 'evaluated:{"before":1}'],
    ['filter', 'status:dead,filterEnv:production'],
    ['filter', 'status:active'],
    ['filter', 'segmentTargeted:beta'],
    ['filter', 'guardedRollout:archived'],
    ['filter', 'targeting:true'],
    ['sort', 'targetingModifiedDate'],
    ['compare', 'maybe'],
    ['limit', 101],
    ['offset', -1],
  ])('rejects %s=%s', async (name, value) => {
    const { list } = await projectWithFlags()
    expect(await validationErrorOf(list({ [name]: value }))).toMatchObject({ attribute: name })
  })

  it('finds flags by their references in code', async () => {
    const { api, as, keys } = await projectWithFlags()
    await api.createRepository({ body: { name: 'r' } }, { as })
    const hunk = (flagKey: string) => ({ startingLineNumber: 1, projKey: 'web', flagKey })
    const references = [
      { path: 'x', hunks: [hunk('a'), hunk('b')] },
      { path: 'y', hunks: [hunk('b')] },
    ]
    const scan = { name: 'main', head: '1', syncTime: 1, references }
    await api.putBranch({ repo: 'r', branch: 'main', body: scan }, { as })
    expect(await keys({ filter: 'codeReferences.min:1' })).toBe('b a')
    expect(await keys({ filter: 'codeReferences.min:2' })).toBe('b')
    expect(await keys({ filter: 'codeReferences.max:0' })).toBe('c old')
    expect(await keys({ filter: 'codeReferences.max:1' })).toBe('c a old')
    const policy = [
      { effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] },
      { effect: 'deny', actions: ['*'], resources: ['code-reference-repository/r'] },
    ] as const
    const withoutRepository = await api.listFlags(
      { projectKey: 'web', filter: 'codeReferences.min:1' },
      { as: { policy } },
    )
    expect(withoutRepository.items).toEqual([])
  })

  it('finds flags by their evaluations in an environment', async () => {
    const { api, as, engine, list, keys } = await projectWithFlags()
    const environment = await api.getEnvironment({ projectKey: 'web', environmentKey: 'test' }, { as })
    const features = { b: { counters: [{ version: 1, count: 1, variation: 0 }] } }
    const headers = { authorization: environment.apiKey, 'content-type': 'application/json' }
    const events = [{ kind: 'summary', endDate: start, features }]
    await engine.sdk.handle(engineRequest('POST', '/bulk', events, headers))
    await engine.sdk.flush()
    const keysAfter = (after: number, environmentKey: string) =>
      keys({ filter: `evaluated:{"after":${after}},filterEnv:${environmentKey}` })
    expect(await keysAfter(start - 1, 'test')).toBe('b')
    expect(await keysAfter(start, 'test')).toBe('')
    expect(await keysAfter(start - 1, 'production')).toBe('')
    for (const filter of ['evaluated:{"after":1}', 'filterEnv:test']) {
      expect(await validationErrorOf(list({ filter }))).toMatchObject({ attribute: 'filter' })
    }
  })

  it('shows no evaluations of flags whose status the caller may not view', async () => {
    const { api, as, engine } = await projectWithFlags()
    const environment = await api.getEnvironment({ projectKey: 'web', environmentKey: 'test' }, { as })
    const counted = { counters: [{ version: 1, count: 1, variation: 0 }] }
    const headers = { authorization: environment.apiKey, 'content-type': 'application/json' }
    const events = [{ kind: 'summary', endDate: start, features: { a: counted, b: counted } }]
    await engine.sdk.handle(engineRequest('POST', '/bulk', events, headers))
    await engine.sdk.flush()
    const filter = 'evaluated:{"after":1},filterEnv:test'
    const caller = editor(['viewFlagStatus'], 'proj/web:env/test:flag/*;web')
    const { items, totalCount } = await api.listFlags({ projectKey: 'web', filter }, { as: caller })
    expect([items.map(({ key }) => key), totalCount]).toEqual([['b'], 1])
  })

  it('sorts by the last change of the targeting in an environment', async () => {
    const { keys, instruct, pass, list } = await projectWithFlags()
    for (const key of ['c', 'b']) {
      pass(10)
      await instruct(key, [{ kind: 'turnFlagOn' }])
    }
    pass(10)
    await instruct('c', [{ kind: 'turnFlagOn' }], { environmentKey: 'test' })
    const sorted = (sort: string, query: object = {}) => keys({ sort, env: 'production,test', ...query })
    expect(await sorted('targetingModifiedDate')).toBe('a old c b')
    expect(await sorted('-targetingModifiedDate')).toBe('b c old a')
    expect(await sorted('-targetingModifiedDate', { env: 'test' })).toBe('c old a b')
    expect(await sorted('-targetingModifiedDate', { filter: 'tags:pay', limit: 1, offset: 1 })).toBe('a')
    expect((await list({ sort: 'targetingModifiedDate', env: 'test', limit: 1 })).totalCount).toBe(4)
    expect(await validationErrorOf(list({ sort: 'name,targetingModifiedDate', env: 'test' }))).toMatchObject({
      attribute: 'sort',
    })
  })

  it('compares the settings of environments', async () => {
    const { api, as, instruct, get, list, keys } = await projectWithFlags()
    await api.createEnvironment({ projectKey: 'web', body: { key: 'third', name: 'Third', color: '000000' } }, { as })
    const [first] = (await get('a')).variations
    const rule = { kind: 'addRule', clauses: [clause()], variationId: first?._id }
    for (const environmentKey of ['production', 'test', 'third']) await instruct('a', [rule], { environmentKey })
    await instruct('b', [{ kind: 'turnFlagOn' }], { environmentKey: 'third' })
    await instruct('c', [{ kind: 'turnFlagOn' }])
    await instruct('old', [{ kind: 'updateTrackEvents', trackEvents: true }])
    const page = await list({ compare: true })
    expect([page.items.map(({ key }) => key), page.totalCount, page.totalCountWithDifferences]).toEqual([
      ['b', 'c'],
      2,
      2,
    ])
    expect((await list({})).totalCountWithDifferences).toBeUndefined()
    expect(await keys({ compare: 'true', env: 'production,test' })).toBe('c')
    expect(await keys({ compare: true, env: 'production' })).toBe('')
    expect(await keys({ compare: true, filter: 'tags:pay' })).toBe('b')
    await instruct('a', [{ kind: 'turnFlagOn' }], { environmentKey: 'test' })
    expect(await keys({ compare: true, env: 'production,test' })).toBe('c a')
  })

  it('finds flags by their experiments', async () => {
    const { keys } = await projectWithFlags()
    expect(await keys({ filter: 'hasExperiment:true' })).toBe('')
    expect(await keys({ filter: 'hasExperiment:false' })).toBe('b c a old')
  })

  it('rejects a sort by several fields when one of them is unknown', async () => {
    const { list } = await projectWithFlags()
    expect(await validationErrorOf(list({ sort: 'name,temporary' }))).toMatchObject({ attribute: 'sort.1' })
  })

  it('reads + as a separator over a transport', async () => {
    const { send } = await projectWithFlags()
    const bare = await send('GET', '/api/v2/flags/web?filter=tags:pay+web')
    const escaped = await send('GET', '/api/v2/flags/web?filter=tags%3Apay%2Bweb')
    for (const { body } of [bare, escaped]) {
      expect(JSON.parse(body as string).items.map(({ key }: { key: string }) => key)).toEqual(['b'])
    }
  })

  it('returns the requested environments only, in short form unless summary=0', async () => {
    const { list, instruct, get } = await projectWithFlags()
    await instruct('b', [{ kind: 'turnFlagOn' }])
    const first = async (query: object) => (await list({ limit: 1, ...query })).items[0]
    expect((await first({}))?.environments).toBeUndefined()
    const short = (await first({ env: 'production' }))?.environments
    expect(Object.keys(short ?? {})).toEqual(['production'])
    const { targets, contextTargets, rules, prerequisites, ...rest } = (await get('b')).environments?.production ?? {}
    expect(short?.production).toEqual(rest)
    const full = (await first({ env: 'production', summary: '0' }))?.environments
    expect(full?.production).toEqual({ targets, contextTargets, rules, prerequisites, ...rest })
  })

  it('responds with 404 for an unknown project', async () => {
    const { api, as } = await flagProject()
    expect(await failureOf(api.listFlags({ projectKey: 'none' }, { as }))).toMatchObject({ code: 'not_found' })
  })
})
