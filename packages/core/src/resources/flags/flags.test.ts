import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { allow, clause, editor, failureOf, faultOf, flagProject, start } from './test/flag-project.ts'

describe('createFlag', () => {
  it('answers with every field of a flag, off in all environments', async () => {
    const { create, memberId } = await flagProject()
    const { _access, ...flag } = await create('checkout', {
      name: 'Checkout',
      description: 'The new one',
      tags: ['pay'],
    })
    const { variations, environments } = flag
    const [on, off] = variations
    const config = (key: string, name: string) => ({
      on: false,
      archived: false,
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      sel: expect.stringMatching(/^[0-9a-f]{32}$/),
      lastModified: String(start),
      version: 1,
      targets: [],
      contextTargets: [],
      rules: [],
      fallthrough: { variation: 0 },
      offVariation: 1,
      prerequisites: [],
      trackEvents: false,
      trackEventsFallthrough: false,
      _environmentName: name,
      _site: { href: `/web/${key}/features/checkout`, type: 'text/html' },
      _summary: {
        variations: {
          0: { rules: 0, nullRules: 0, targets: 0, contextTargets: 0, isFallthrough: true },
          1: { rules: 0, nullRules: 0, targets: 0, contextTargets: 0, isOff: true },
        },
        prerequisites: 0,
      },
    })
    expect(flag).toEqual({
      name: 'Checkout',
      kind: 'boolean',
      description: 'The new one',
      key: 'checkout',
      _version: 1,
      creationDate: String(start),
      includeInSnippet: false,
      clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: true },
      variations: [
        { _id: on?._id, value: true },
        { _id: off?._id, value: false },
      ],
      temporary: true,
      tags: ['pay'],
      _links: {
        self: { href: '/api/v2/flags/web/checkout', type: 'application/json' },
        parent: { href: '/api/v2/flags/web', type: 'application/json' },
      },
      maintainerId: memberId,
      _maintainer: {
        _links: { self: { href: `/api/v2/members/${memberId}`, type: 'application/json' } },
        _id: memberId,
        role: 'owner',
        email: 'ada@example.com',
        firstName: '',
        lastName: '',
      },
      customProperties: {},
      archived: false,
      deprecated: false,
      defaults: { onVariation: 0, offVariation: 1 },
      environments: { production: config('production', 'Production'), test: config('test', 'Test') },
    })
    expect(on?._id).not.toBe(off?._id)
    expect(environments?.production?.salt).toBe(environments?.test?.salt)
    expect(_access?.denied).toEqual([])
    expect(_access?.allowed.map((entry) => entry.action)).toContain('updateOn')
  })

  it('keeps what it is given', async () => {
    const { create, get } = await flagProject()
    const given = {
      variations: [
        { value: 'red', name: 'Red', description: 'Warm' },
        { value: 'blue', name: 'Blue' },
        { value: 'green' },
      ],
      defaults: { onVariation: 2, offVariation: 0 },
      temporary: false,
      includeInSnippet: true,
      clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: false },
      customProperties: { 'jira.issues': { name: 'Jira issues', value: ['HAL-1'] } },
    }
    await create('colour', given)
    const flag = await get('colour')
    expect(flag).toMatchObject({ ...given, kind: 'multivariate' })
    expect(flag.environments?.test).toMatchObject({ fallthrough: { variation: 2 }, offVariation: 0 })
  })

  it('takes what is left out from the project', async () => {
    const { api, as } = await flagProject()
    const availability = { usingEnvironmentId: true, usingMobileKey: true }
    const settings = { includeInSnippetByDefault: true, defaultClientSideAvailability: availability }
    await api.createProject({ body: { key: 'shop', name: 'Shop', ...settings } }, { as })
    const flag = await api.createFlag({ projectKey: 'shop', body: { key: 'a', name: 'A' } }, { as })
    expect(flag).toMatchObject({ includeInSnippet: true, clientSideAvailability: availability })
  })

  it.each([
    ['boolean', [false, true], 'boolean'],
    ['strings', ['a', 'b', 'c'], 'multivariate'],
    ['numbers', [1, 2.5], 'multivariate'],
    ['JSON', [{ a: 1 }, ['b'], null], 'multivariate'],
  ])('tells its kind by its variations: %s', async (_, values, kind) => {
    const { create } = await flagProject()
    const flag = await create('f', { variations: values.map((value) => ({ value })) })
    expect(flag.kind).toBe(kind)
    expect(flag.variations.map(({ value }) => value)).toEqual(values)
    expect(flag.defaults).toEqual({ onVariation: 0, offVariation: values.length - 1 })
  })

  it.each<[string, object, string]>([
    ['a key that is none', { key: '-x' }, 'key'],
    ['no name', { name: undefined }, 'name'],
    ['an unknown member', { colour: 'red' }, 'colour'],
    ['one variation', { variations: [{ value: 'a' }] }, 'variations'],
    ['values of two types', { variations: [{ value: 'a' }, { value: 1 }] }, 'variations'],
    ['a value twice', { variations: [{ value: { a: 1, b: 2 } }, { value: { b: 2, a: 1 } }] }, 'variations'],
    ['a variation without a value', { variations: [{ value: 'a' }, { name: 'b' }] }, 'variations.1.value'],
    ['a variation with an id', { variations: [{ value: 'a', _id: 'x' }, { value: 'b' }] }, 'variations.0._id'],
    ['an on variation that is none', { defaults: { onVariation: 2, offVariation: 0 } }, 'defaults.onVariation'],
    ['an off variation that is none', { defaults: { onVariation: 0, offVariation: 9 } }, 'defaults.offVariation'],
    ['a negative index', { defaults: { onVariation: -1, offVariation: 0 } }, 'defaults.onVariation'],
    ['half of the defaults', { defaults: { onVariation: 0 } }, 'defaults.offVariation'],
    ['a tag twice', { tags: ['a', 'a'] }, 'tags'],
    ['a maintainer who is no member', { maintainerId: 'nobody' }, 'maintainerId'],
    ['another purpose', { purpose: 'holdout' }, 'purpose'],
  ])('refuses %s', async (_, more, attribute) => {
    const { create } = await flagProject()
    expect(await faultOf(create('f', more))).toMatchObject({ attribute })
  })

  it('lets a flag have one maintainer', async () => {
    const { create, memberId } = await flagProject()
    const both = { maintainerId: memberId, maintainerTeamKey: 'growth' }
    expect(await faultOf(create('f', both))).toMatchObject({ attribute: 'maintainerTeamKey' })
    const { maintainerId, maintainerTeamKey } = await create('g', { maintainerTeamKey: 'growth' })
    expect({ maintainerId, maintainerTeamKey }).toEqual({ maintainerId: undefined, maintainerTeamKey: 'growth' })
  })

  it('refuses a key that is taken, and a project that is not there', async () => {
    const { api, as, create } = await flagProject()
    await create('f')
    expect(await failureOf(create('f'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is a flag f already',
    })
    const elsewhere = api.createFlag({ projectKey: 'none', body: { key: 'f', name: 'F' } }, { as })
    expect(await failureOf(elsewhere)).toMatchObject({ code: 'not_found' })
  })

  it('asks for createFlag', async () => {
    const { api } = await flagProject()
    const call = (action: string) =>
      api.createFlag(
        { projectKey: 'web', body: { key: 'f', name: 'F' } },
        { as: editor([action], 'proj/web:env/*:flag/f') },
      )
    expect(await failureOf(call('updateName'))).toMatchObject({ code: 'forbidden' })
    expect(await call('createFlag')).toMatchObject({ key: 'f' })
  })

  it('costs one document, however many environments there are', async () => {
    const { api, as, account, create } = await flagProject()
    for (let i = 0; i < 10; i++) {
      const body = { key: `env-${i}`, name: `Env ${i}`, color: '000000' }
      await api.createEnvironment({ projectKey: 'web', body }, { as })
    }
    const flag = await create('f')
    expect(Object.keys(flag.environments ?? {})).toHaveLength(12)
    const stored = await account.list({
      collection: 'flag-config',
      scope: '',
      deep: true,
      limit: 100,
      select: 'fields',
    })
    expect(stored.items).toEqual([])
  })

  it('answers 201 with its address and ETag over a transport', async () => {
    const { send } = await flagProject()
    const made = await send('POST', '/api/v2/flags/web', { body: { key: 'f', name: 'F' } })
    const read = await send('GET', '/api/v2/flags/web/f')
    expect(made.status).toBe(201)
    expect(made.headers.etag).toBe(read.headers.etag)
    expect(made.body).toBe(read.body)
  })
})

describe('getFlag', () => {
  it('limits environments to those that are asked for', async () => {
    const { create, get } = await flagProject()
    await create('f')
    const seen = async (query: object) => Object.keys((await get('f', query)).environments ?? {})
    expect(await seen({})).toEqual(['production', 'test'])
    expect(await seen({ env: 'test' })).toEqual(['test'])
    expect(await seen({ env: 'test,production' })).toEqual(['production', 'test'])
    expect(await seen({ env: 'none' })).toEqual([])
  })

  it('shows environments that are younger than the flag, with its defaults', async () => {
    const { api, as, create, get } = await flagProject()
    await create('f', { variations: [{ value: 'a' }, { value: 'b' }], defaults: { onVariation: 1, offVariation: 0 } })
    const body = { key: 'eu', name: 'EU', color: '000000', defaultTrackEvents: true }
    await api.createEnvironment({ projectKey: 'web', body }, { as })
    const config = (await get('f')).environments?.eu
    expect(config).toMatchObject({ on: false, fallthrough: { variation: 1 }, offVariation: 0, trackEvents: true })
  })

  it('has an ETag that moves with the flag, its configurations and the environments', async () => {
    const { api, as, create, instruct, patch, send } = await flagProject()
    await create('f')
    const etag = async () => (await send('GET', '/api/v2/flags/web/f')).headers.etag
    const seen = [await etag()]
    await instruct('f', [{ kind: 'turnFlagOn' }])
    seen.push(await etag())
    await patch('f', [{ op: 'replace', path: '/name', value: 'Other' }])
    seen.push(await etag())
    await api.createEnvironment({ projectKey: 'web', body: { key: 'eu', name: 'EU', color: '000000' } }, { as })
    seen.push(await etag())
    const rename = [{ op: 'replace', path: '/name', value: 'Europe' }]
    await api.patchEnvironment({ projectKey: 'web', environmentKey: 'eu', body: rename }, { as })
    seen.push(await etag())
    expect(new Set(seen).size).toBe(seen.length)
    const again = await send('GET', '/api/v2/flags/web/f', { headers: { 'if-none-match': seen.at(-1) as string } })
    expect(again.status).toBe(304)
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'eu' }, { as })
    expect(seen.slice(3)).not.toContain(await etag())
  })

  it('shows times as numbers where the engine is told so', async () => {
    const { storage, create, as, pass, instruct } = await flagProject()
    await create('f')
    pass(1_000)
    await instruct('f', [{ kind: 'archiveFlag' }, { kind: 'deprecateFlag' }, { kind: 'turnFlagOn' }])
    const { api } = createEngine({ storage, wire: { timestamps: 'number' } })
    const flag = await api.getFlag({ projectKey: 'web', featureFlagKey: 'f' }, { as })
    expect(flag).toMatchObject({ creationDate: start, archivedDate: start + 1_000, deprecatedDate: start + 1_000 })
    expect(flag.environments?.production?.lastModified).toBe(start + 1_000)
    expect(flag.environments?.test?.lastModified).toBe(start)
  })

  it('is not found where there is none, and forbidden without viewProject', async () => {
    const { api, get } = await flagProject()
    expect(await failureOf(get('none'))).toMatchObject({ code: 'not_found' })
    const as = { policy: [allow(['updateOn'], ['proj/*:env/*:flag/*'])] }
    const call = api.getFlag({ projectKey: 'web', featureFlagKey: 'f' }, { as })
    expect(await failureOf(call)).toMatchObject({ code: 'forbidden' })
  })
})

describe('listFlags', () => {
  async function listed() {
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

  it('pages through flags by name, without those that are archived', async () => {
    const { list, keys } = await listed()
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
  ])('sorts by %s', async (sort, expected) => {
    const { keys } = await listed()
    expect(await keys({ sort })).toBe(expected)
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
    const { keys } = await listed()
    expect(await keys({ filter })).toBe(expected)
  })

  it('leaves what the caller may do with each to whoever asks for one', async () => {
    const { api, create, get, as } = await flagProject()
    await create('checkout')
    const { items } = await api.listFlags({ projectKey: 'web' }, { as })
    const { _access, environments, ...flag } = await get('checkout')
    expect(items).toEqual([flag])
    expect(_access?.allowed.length).toBeGreaterThan(0)
  })

  it('filters by maintainer and by tag', async () => {
    const { keys, memberId } = await listed()
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
    ['sort', 'temporary'],
    ['limit', 101],
    ['offset', -1],
  ])('refuses %s=%s', async (name, value) => {
    const { list } = await listed()
    expect(await faultOf(list({ [name]: value }))).toMatchObject({ attribute: name })
  })

  it('reads + as a separator over a transport too', async () => {
    const { send } = await listed()
    const bare = await send('GET', '/api/v2/flags/web?filter=tags:pay+web')
    const escaped = await send('GET', '/api/v2/flags/web?filter=tags%3Apay%2Bweb')
    for (const { body } of [bare, escaped]) {
      expect(JSON.parse(body as string).items.map(({ key }: { key: string }) => key)).toEqual(['b'])
    }
  })

  it('shows environments only where they are asked for, short unless summary=0', async () => {
    const { list, instruct, get } = await listed()
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

  it('is not found in a project that is not there', async () => {
    const { api, as } = await flagProject()
    expect(await failureOf(api.listFlags({ projectKey: 'none' }, { as }))).toMatchObject({ code: 'not_found' })
  })
})

describe('deleteFlag', () => {
  it('answers 204 and takes every configuration along', async () => {
    const { create, get, instruct, send, account } = await flagProject()
    await create('f')
    await instruct('f', [{ kind: 'turnFlagOn' }])
    await instruct('f', [{ kind: 'turnFlagOn' }], { environmentKey: 'test' })
    expect(await send('DELETE', '/api/v2/flags/web/f')).toMatchObject({ status: 204, body: undefined })
    expect(await failureOf(get('f'))).toMatchObject({ code: 'not_found' })
    const left = await account.list({ collection: 'flag-config', scope: '', deep: true, limit: 9, select: 'fields' })
    expect(left.items).toEqual([])
    const again = await create('f')
    expect(again).toMatchObject({ _version: 1, environments: { production: { on: false, version: 1 } } })
  })

  it('takes along what other resources keep at its addresses', async () => {
    const { account, api, as, create, keysOf } = await flagProject()
    await create('f')
    const sets = ['proj/web:env/*:flag/f', 'proj/web:env/test:flag/f'].map((scope) => ({ name: 'kept', scope }))
    await account.commit(sets.map((set) => ({ do: 'add-members', set, members: ['x'] })))
    await api.deleteFlag(keysOf('f'), { as })
    expect(await Promise.all(sets.map((set) => account.countMembers(set)))).toEqual([0, 0])
  })

  it('lets its segments go', async () => {
    const { api, as, create, instruct, segment, keysOf } = await flagProject()
    const { variations } = await create('f')
    await segment('beta')
    const clauses = [clause({ op: 'segmentMatch', values: ['beta'] })]
    await instruct('f', [{ kind: 'addRule', clauses, variationId: variations[0]?._id }])
    const place = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    expect(await failureOf(api.deleteSegment(place, { as }))).toMatchObject({ code: 'optimistic_locking_error' })
    await api.deleteFlag(keysOf('f'), { as })
    expect((await api.getSegment(place, { as }))._flags).toEqual([])
    expect(await api.deleteSegment(place, { as })).toBeUndefined()
  })

  it('is refused while another flag has it as prerequisite', async () => {
    const { api, as, create, instruct, keysOf } = await flagProject()
    const { variations } = await create('base')
    await create('top')
    const prerequisite = { key: 'base', variationId: variations[0]?._id }
    await instruct('top', [{ kind: 'addPrerequisite', ...prerequisite }], { environmentKey: 'test' })
    expect(await failureOf(api.deleteFlag(keysOf('base'), { as }))).toEqual({
      code: 'optimistic_locking_error',
      message: 'base is a prerequisite of top: change that flag first',
    })
    await api.deleteFlag(keysOf('top'), { as })
    expect(await api.deleteFlag(keysOf('base'), { as })).toBeUndefined()
  })

  it('asks for deleteFlag, by either way', async () => {
    const { api, create, keysOf } = await flagProject()
    await create('f')
    const without = editor(['update*'], 'proj/*:env/*:flag/*')
    const remove = { instructions: [{ kind: 'deleteFlag' as const }] }
    expect(await failureOf(api.deleteFlag(keysOf('f'), { as: without }))).toMatchObject({ code: 'forbidden' })
    const instructed = (as: typeof without) => api.patchFlag({ ...keysOf('f'), body: remove }, { as })
    expect(await failureOf(instructed(without))).toMatchObject({ code: 'forbidden' })
    expect(await instructed(editor(['deleteFlag'], 'proj/web:env/*:flag/f'))).toMatchObject({ key: 'f' })
    expect(await failureOf(instructed(without))).toMatchObject({ code: 'not_found' })
  })

  it('is refused when If-Match names another revision', async () => {
    const { create, instruct, send } = await flagProject()
    await create('f')
    const { headers } = await send('GET', '/api/v2/flags/web/f')
    await instruct('f', [{ kind: 'turnFlagOn' }])
    const refused = await send('DELETE', '/api/v2/flags/web/f', { headers: { 'if-match': headers.etag as string } })
    expect(refused.status).toBe(409)
  })
})
