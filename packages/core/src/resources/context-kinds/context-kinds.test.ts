import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, awaitTurns, failureOf, flagProject, start, validationErrorOf } from '../flags/test/flag-project.ts'

const path = '/api/v2/projects/web/context-kinds'
const web = { projectKey: 'web' }

async function withKinds() {
  const project = await flagProject()
  const { api, as } = project
  return {
    ...project,
    put: (key: string, body: object = {}, caller: As = as) =>
      api.putContextKind({ ...web, key, body: { name: key, ...body } }, { as: caller }),
    list: async (query: object = {}) => api.listContextKinds({ ...web, ...query }, { as }),
    randomizeBy: (...keys: string[]) => {
      const randomizationUnits = keys.map((randomizationUnit, time) => ({ randomizationUnit, default: time === 0 }))
      return api.putExperimentationSettings({ ...web, body: { randomizationUnits } }, { as })
    },
  }
}

const user = {
  _links: { parent: { href: path, type: 'application/json' } },
  key: 'user',
  name: 'User',
  description: '',
  version: 1,
  creationDate: String(start),
  lastModified: String(start),
  createdFrom: 'default',
  hideInTargeting: false,
  archived: false,
}

describe('listContextKinds', () => {
  it('returns user in a project without stored kinds', async () => {
    const { send } = await withKinds()
    const response = await send('GET', path)
    expect(response.status).toBe(200)
    expect(JSON.parse(response.body as string)).toMatchObject({ items: [user], totalCount: 1 })
  })

  it('lists all kinds by key in pages, and user once', async () => {
    const { put, list } = await withKinds()
    for (const key of ['zone', 'Device', 'org']) await put(key)
    const keys = async (query?: object) => (await list(query)).items.map(({ key }) => key)
    expect(await keys()).toEqual(['Device', 'org', 'user', 'zone'])
    await put('user', { name: 'Person' })
    expect(await keys()).toEqual(['Device', 'org', 'user', 'zone'])
    expect(await keys({ limit: 2, offset: 1 })).toEqual(['org', 'user'])
    expect((await list({ limit: 2, offset: 1 })).totalCount).toBe(4)
    expect(await keys({ limit: 2, offset: 4 })).toEqual([])
  })

  it('responds with 404 for an unknown project', async () => {
    const { api, as } = await withKinds()
    expect((await failureOf(api.listContextKinds({ projectKey: 'nowhere' }, { as }))).code).toBe('not_found')
    const body = { name: 'Org' }
    const putCall = api.putContextKind({ projectKey: 'nowhere', key: 'org', body }, { as })
    expect((await failureOf(putCall)).code).toBe('not_found')
  })
})

describe('putContextKind', () => {
  it('creates a kind, and responds with 200 and all its properties', async () => {
    const { send, list, pass } = await withKinds()
    pass(5)
    const body = { name: 'Organization', description: 'Who pays', hideInTargeting: true, archived: true }
    const response = await send('PUT', `${path}/org`, { body })
    expect([response.status, response.headers.etag]).toEqual([200, '"1"'])
    const time = String(start + 5)
    const created = { ...user, key: 'org', ...body, creationDate: time, lastModified: time, createdFrom: 'manual' }
    expect(JSON.parse(response.body as string)).toEqual(created)
    expect((await list()).items).toEqual([created, user])
  })

  it('replaces a kind, and resets omitted properties', async () => {
    const { put, pass } = await withKinds()
    const before = await put('org', { description: 'Who pays', hideInTargeting: true })
    pass(5)
    const after = await put('org', { name: 'Company' })
    const defaults = { name: 'Company', description: '', hideInTargeting: false, version: 2 }
    expect(after).toEqual({ ...before, ...defaults, lastModified: String(start + 5) })
  })

  it('creates no version when nothing changes', async () => {
    const { put, pass } = await withKinds()
    const before = await put('org')
    pass(5)
    expect(await put('org')).toEqual(before)
    expect(await put('user', { name: 'User' })).toEqual(user)
  })

  it('replaces the kind `user`, which has version 1 before its first change', async () => {
    const { put } = await withKinds()
    expect(await put('user', { name: 'Person', version: 1 })).toEqual({ ...user, name: 'Person', version: 2 })
    expect(await put('user', { name: 'Human', version: 2 })).toMatchObject({ version: 3, createdFrom: 'default' })
  })

  it('responds with 409 when the body or If-Match has another version', async () => {
    const { put, send } = await withKinds()
    const conflict = async (call: Promise<unknown>) =>
      expect((await failureOf(call)).code).toBe('optimistic_locking_error')
    await conflict(put('org', { version: 2 }))
    await put('org', { version: 1 })
    await put('org', { name: 'Organization', version: 1 })
    await conflict(put('org', { version: 1 }))
    await conflict(put('user', { version: 0 }))
    const response = await send('PUT', `${path}/org`, { body: { name: 'x' }, headers: { 'if-match': '"1"' } })
    expect(response.status).toBe(409)
  })

  it('succeeds once when two calls run concurrently', async () => {
    const { put, list } = await withKinds()
    for (const key of ['org', 'user']) {
      const names = ['a', 'b']
      const race = await Promise.all(
        names.map((name) =>
          put(key, { name }).then(
            () => name,
            () => '409',
          ),
        ),
      )
      expect(race).toContain('409')
      expect((await list()).items.find((kind) => kind.key === key)?.name).toBe(race.find((result) => result !== '409'))
    }
  })

  it.each<[string, string, object, string]>([
    ['no name', 'org', { name: undefined }, 'name'],
    ['an empty name', 'org', { name: '' }, 'name'],
    ['a long name', 'org', { name: 'x'.repeat(257) }, 'name'],
    ['a description that is not a string', 'org', { description: 1 }, 'description'],
    ['a string for a boolean', 'org', { archived: 'yes' }, 'archived'],
    ['a version that is not an integer', 'org', { version: 0.5 }, 'version'],
    ['an unknown property', 'org', { key: 'org' }, 'key'],
    ['the key kind', 'kind', {}, 'key'],
    ['the key multi', 'multi', {}, 'key'],
    ['a key of 65 characters', 'k'.repeat(65), {}, 'key'],
    ['user as archived', 'user', { archived: true }, 'archived'],
  ])('rejects %s', async (_, key, body, attribute) => {
    const { put, list } = await withKinds()
    expect(await validationErrorOf(put(key, body))).toMatchObject({ attribute })
    expect((await list()).totalCount).toBe(1)
  })

  it('responds with 404 for invalid keys', async () => {
    const { send } = await withKinds()
    for (const key of ['-a', 'a%2Fb', '%2A', '%20', 'a%00b']) {
      expect((await send('PUT', `${path}/${key}`, { body: { name: 'x' } })).status).toBe(404)
    }
  })

  it('rejects the 101st kind', async () => {
    const { put } = await withKinds()
    for (let time = 0; time < 100; time++) await put(`k${time}`)
    expect(await failureOf(put('more'))).toEqual({
      code: 'invalid_request',
      message: 'A project can have at most 100 context kinds',
    })
    expect(await put('k0', { name: 'First' })).toMatchObject({ name: 'First' })
  })

  it('does not archive a kind that experiments use as randomization unit', async () => {
    const { put, randomizeBy } = await withKinds()
    await put('org')
    await put('team')
    await randomizeBy('user', 'org')
    expect(await validationErrorOf(put('org', { archived: true }))).toEqual({
      attribute: 'archived',
      reason: 'must be false while experiments randomize by it',
    })
    expect(await put('team', { archived: true })).toMatchObject({ archived: true })
    await randomizeBy('user')
    expect(await put('org', { archived: true })).toMatchObject({ archived: true })
  })

  it.each([false, true])(
    'does not archive a kind that an experiment concurrently starts to use (settings stored: %s)',
    async (stored) => {
      for (let turnCount = 0; turnCount < 12; turnCount++) {
        const { api, as, put, randomizeBy, list } = await withKinds()
        await put('org')
        await put('team')
        if (stored) await randomizeBy('user', 'team')
        const archiving = put('org', { archived: true }).catch(() => undefined)
        await awaitTurns(turnCount)
        await randomizeBy('user', 'org').catch(() => undefined)
        await archiving
        const { randomizationUnits } = await api.getExperimentationSettings(web, { as })
        const archived = (await list()).items.find(({ key }) => key === 'org')?.archived
        expect(archived && randomizationUnits.some((unit) => unit.randomizationUnit === 'org')).toBe(false)
      }
    },
  )

  it('deletes kinds with their project', async () => {
    const { api, as, put, list } = await withKinds()
    await put('org')
    await api.deleteProject(web, { as })
    await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    expect((await list()).items.map(({ key }) => key)).toEqual(['user'])
  })
})

describe('permissions', () => {
  const view = allow(['viewProject'], ['proj/*'])
  const callerWith = (action: string, resource = 'proj/web:context-kind/*'): As => ({
    policy: [view, allow([action], [resource])],
  })

  it('require createContextKind to create and updateContextKind to replace a kind', async () => {
    const { put } = await withKinds()
    expect((await failureOf(put('org', {}, callerWith('updateContextKind')))).code).toBe('forbidden')
    await put('org', {}, callerWith('createContextKind', 'proj/web:context-kind/org'))
    expect((await failureOf(put('org', { name: 'x' }, callerWith('createContextKind')))).code).toBe('forbidden')
    expect((await failureOf(put('user', { name: 'x' }, callerWith('createContextKind')))).code).toBe('forbidden')
    await put('org', { name: 'x' }, callerWith('updateContextKind'))
    await put('user', { name: 'x' }, callerWith('updateContextKind'))
    expect((await failureOf(put('org', {}, callerWith('updateContextKind', 'proj/web:context-kind/team')))).code).toBe(
      'forbidden',
    )
  })

  it('require viewProject', async () => {
    const { api, put } = await withKinds()
    const callerWithoutView: As = {
      policy: [allow(['createContextKind', 'updateContextKind'], ['proj/web:context-kind/*'])],
    }
    expect((await failureOf(put('org', {}, callerWithoutView))).code).toBe('forbidden')
    expect((await failureOf(api.listContextKinds(web, { as: callerWithoutView }))).code).toBe('forbidden')
  })
})
