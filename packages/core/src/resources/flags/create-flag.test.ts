import { describe, expect, it } from 'vitest'
import { editor, failureOf, flagProject, start, validationErrorOf } from './test/flag-project.ts'

describe('createFlag', () => {
  it('returns every property of a flag, turned off in all environments', async () => {
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

  it('stores the settings of the request', async () => {
    const { create, get } = await flagProject()
    const settings = {
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
    await create('colour', settings)
    const flag = await get('colour')
    expect(flag).toMatchObject({ ...settings, kind: 'multivariate' })
    expect(flag.environments?.test).toMatchObject({ fallthrough: { variation: 2 }, offVariation: 0 })
  })

  it('uses the defaults of the project for omitted settings', async () => {
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
  ])('derives the kind from the variations: %s', async (_, values, kind) => {
    const { create } = await flagProject()
    const flag = await create('f', { variations: values.map((value) => ({ value })) })
    expect(flag.kind).toBe(kind)
    expect(flag.variations.map(({ value }) => value)).toEqual(values)
    expect(flag.defaults).toEqual({ onVariation: 0, offVariation: values.length - 1 })
  })

  it.each<[string, object, string]>([
    ['an invalid key', { key: '-x' }, 'key'],
    ['no name', { name: undefined }, 'name'],
    ['an unknown property', { colour: 'red' }, 'colour'],
    ['a single variation', { variations: [{ value: 'a' }] }, 'variations'],
    ['values of two types', { variations: [{ value: 'a' }, { value: 1 }] }, 'variations'],
    ['a repeated value', { variations: [{ value: { a: 1, b: 2 } }, { value: { b: 2, a: 1 } }] }, 'variations'],
    ['a variation without a value', { variations: [{ value: 'a' }, { name: 'b' }] }, 'variations.1.value'],
    ['an on variation that does not exist', { defaults: { onVariation: 2, offVariation: 0 } }, 'defaults.onVariation'],
    [
      'an off variation that does not exist',
      { defaults: { onVariation: 0, offVariation: 9 } },
      'defaults.offVariation',
    ],
    ['a negative index', { defaults: { onVariation: -1, offVariation: 0 } }, 'defaults.onVariation'],
    ['defaults without an off variation', { defaults: { onVariation: 0 } }, 'defaults.offVariation'],
    ['a repeated tag', { tags: ['a', 'a'] }, 'tags'],
    ['a maintainer who is not a member', { maintainerId: 'nobody' }, 'maintainerId'],
    ['an unknown purpose', { purpose: 'holdout' }, 'purpose'],
    [
      'a prerequisite that is not a flag',
      { initialPrerequisites: [{ key: 'none', variationId: 'x' }] },
      'initialPrerequisites.0.key',
    ],
    [
      'a repeated prerequisite',
      { initialPrerequisites: [0, 1].map((index) => ({ key: 'f', variationId: String(index) })) },
      'initialPrerequisites',
    ],
  ])('rejects %s', async (_, overrides, attribute) => {
    const { create } = await flagProject()
    expect(await validationErrorOf(create('f', overrides))).toMatchObject({ attribute })
  })

  it('gives the variations of another flag ids of their own', async () => {
    const { create } = await flagProject()
    const { variations } = await create('a', { variations: [{ value: 'x' }, { value: 'y', name: 'Y' }] })
    const copy = await create('b', { variations })
    expect(copy.variations.map(({ _id, ...variation }) => variation)).toEqual([
      { value: 'x' },
      { value: 'y', name: 'Y' },
    ])
    expect(copy.variations.map(({ _id }) => _id)).not.toEqual(variations.map(({ _id }) => _id))
  })

  it('turns the flag on in all environments when isFlagOn is true', async () => {
    const { create, get } = await flagProject()
    const created = await create('f', { isFlagOn: true })
    expect(Object.values(created.environments ?? {}).map(({ on }) => on)).toEqual([true, true])
    const { _access, ...stored } = await get('f')
    expect(created).toMatchObject(stored)
    const off = await create('g', { isFlagOn: false })
    expect(Object.values(off.environments ?? {}).map(({ on }) => on)).toEqual([false, false])
  })

  it('adds initial prerequisites in all environments, which are then protected', async () => {
    const { api, as, create, get, keysOf } = await flagProject()
    const { variations } = await create('base')
    const initialPrerequisites = [{ key: 'base', variationId: variations[1]?._id }]
    await create('f', { initialPrerequisites })
    const { environments } = await get('f')
    const prerequisites = [{ key: 'base', variation: 1 }]
    expect(environments).toMatchObject({ production: { on: false, prerequisites }, test: { on: false, prerequisites } })
    expect(await failureOf(api.deleteFlag(keysOf('base'), { as }))).toMatchObject({ code: 'optimistic_locking_error' })
  })

  it('rejects a prerequisite with an unknown variation, and an archived prerequisite', async () => {
    const { create, instruct } = await flagProject()
    const { variations } = await create('base')
    const withPrerequisite = (variationId: string | undefined) =>
      validationErrorOf(create('f', { initialPrerequisites: [{ key: 'base', variationId }] }))
    expect(await withPrerequisite('x')).toMatchObject({ attribute: 'initialPrerequisites.0.variationId' })
    await instruct('base', [{ kind: 'archiveFlag' }])
    expect(await withPrerequisite(variations[0]?._id)).toEqual({
      attribute: 'initialPrerequisites',
      reason: 'must not be archived: base is archived',
    })
  })

  it('requires updateOn for isFlagOn, and updatePrerequisites for initialPrerequisites', async () => {
    const { api, create } = await flagProject()
    const { variations } = await create('base')
    const call = (actions: string[], settings: object) =>
      api.createFlag(
        { projectKey: 'web', body: { key: 'f', name: 'F', ...settings } },
        { as: editor(['createFlag', ...actions], 'proj/web:env/*:flag/f') },
      )
    const on = { isFlagOn: true }
    const initialPrerequisites = [{ key: 'base', variationId: variations[0]?._id as string }]
    expect(await failureOf(call(['updatePrerequisites'], on))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(call(['updateOn'], { initialPrerequisites }))).toMatchObject({ code: 'forbidden' })
    expect(await call(['updateOn', 'updatePrerequisites'], { ...on, initialPrerequisites })).toMatchObject({ key: 'f' })
  })

  it('refuses isFlagOn where an environment requires approval, and creates no flag', async () => {
    const { api, as, create, keysOf } = await flagProject()
    await api.patchEnvironment(
      {
        projectKey: 'web',
        environmentKey: 'production',
        body: [{ op: 'replace', path: '/approvalSettings/required', value: true }],
      },
      { as },
    )
    expect(await failureOf(create('f', { isFlagOn: true }))).toMatchObject({ code: 'method_not_allowed' })
    expect(await failureOf(api.getFlag(keysOf('f'), { as }))).toMatchObject({ code: 'not_found' })
    expect(await create('f', { isFlagOn: false })).toMatchObject({ key: 'f' })
  })

  it('refuses isFlagOn and initialPrerequisites for a clone', async () => {
    const { api, as, create } = await flagProject()
    await create('base')
    const clone = (settings: object) =>
      api.createFlag({ projectKey: 'web', clone: 'base', body: { key: 'f', name: 'F', ...settings } }, { as })
    expect(await validationErrorOf(clone({ isFlagOn: true }))).toMatchObject({ attribute: 'isFlagOn' })
    expect(await validationErrorOf(clone({ initialPrerequisites: [] }))).toMatchObject({
      attribute: 'initialPrerequisites',
    })
    expect(await clone({ isFlagOn: false })).toMatchObject({ key: 'f' })
  })

  it('accepts either a member or a team as maintainer', async () => {
    const { create, memberId } = await flagProject()
    const both = { maintainerId: memberId, maintainerTeamKey: 'growth' }
    expect(await validationErrorOf(create('f', both))).toMatchObject({ attribute: 'maintainerTeamKey' })
    const { maintainerId, maintainerTeamKey } = await create('g', { maintainerTeamKey: 'growth' })
    expect({ maintainerId, maintainerTeamKey }).toEqual({ maintainerId: undefined, maintainerTeamKey: 'growth' })
  })

  it('rejects a key that is taken, and an unknown project', async () => {
    const { api, as, create } = await flagProject()
    await create('f')
    expect(await failureOf(create('f'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is a flag f already',
    })
    const elsewhere = api.createFlag({ projectKey: 'none', body: { key: 'f', name: 'F' } }, { as })
    expect(await failureOf(elsewhere)).toMatchObject({ code: 'not_found' })
  })

  it('requires createFlag', async () => {
    const { api } = await flagProject()
    const call = (action: string) =>
      api.createFlag(
        { projectKey: 'web', body: { key: 'f', name: 'F' } },
        { as: editor([action], 'proj/web:env/*:flag/f') },
      )
    expect(await failureOf(call('updateName'))).toMatchObject({ code: 'forbidden' })
    expect(await call('createFlag')).toMatchObject({ key: 'f' })
  })

  it('stores one document, for any number of environments', async () => {
    const { api, as, account, create } = await flagProject()
    for (let i = 0; i < 10; i++) {
      const body = { key: `env-${i}`, name: `Env ${i}`, color: '000000' }
      await api.createEnvironment({ projectKey: 'web', body }, { as })
    }
    const flag = await create('f')
    expect(Object.keys(flag.environments ?? {})).toHaveLength(12)
    const storedConfigs = await account.list({
      collection: 'flag-config',
      scope: '',
      deep: true,
      limit: 100,
      select: 'fields',
    })
    expect(storedConfigs.items).toEqual([])
  })

  it('returns 201 with the ETag and body of getFlag over a transport', async () => {
    const { send } = await flagProject()
    const created = await send('POST', '/api/v2/flags/web', { body: { key: 'f', name: 'F' } })
    const fetched = await send('GET', '/api/v2/flags/web/f')
    expect(created.status).toBe(201)
    expect(created.headers.etag).toBe(fetched.headers.etag)
    expect(created.body).toBe(fetched.body)
  })
})
