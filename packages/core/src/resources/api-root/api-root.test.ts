import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../index.ts'

let engine: Engine
let as: string

beforeEach(async () => {
  engine = createEngine({ storage: createMemoryStorage() })
  as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web', tags: ['shop'] } }, { as })
  await engine.api.createProject({ body: { key: 'app', name: 'App', tags: ['phone'] } }, { as })
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F', tags: ['shop', 'sale'] } }, { as })
  const segment = { key: 's', name: 'S', tags: ['beta'] }
  await engine.api.createSegment({ projectKey: 'web', environmentKey: 'test', body: segment }, { as })
}, 60_000)

const onlyWeb = [{ effect: 'allow', resources: ['proj/web'], actions: ['viewProject'] }] as const

it('listTags lists each tag once, in order, only of the requested kinds and with the requested start', async () => {
  const tagsFor = async (query: object) => (await engine.api.listTags(query, { as })).items
  expect(await tagsFor({})).toEqual(['beta', 'phone', 'sale', 'shop'])
  expect(await tagsFor({ kind: 'flag,project' })).toEqual(['phone', 'sale', 'shop'])
  expect(await tagsFor({ kind: 'segment' })).toEqual(['beta'])
  expect(await tagsFor({ pre: 's', limit: 1, offset: 1 })).toEqual(['shop'])
  await expect(engine.api.listTags({ kind: 'metric' }, { as })).rejects.toMatchObject({
    body: { errors: [{ attribute: 'kind' }] },
  })
})

it('listTags omits the tags of projects that the caller may not view', async () => {
  const { token } = await engine.api.createToken({ body: { name: 'Web', inlineRole: onlyWeb } }, { as })
  const { items, totalCount } = await engine.api.listTags({}, { as: token })
  expect(items).toEqual(['beta', 'sale', 'shop'])
  expect(totalCount).toBe(3)
})

it('getCallerIdentity names the token and its member, and distinguishes service tokens', async () => {
  const service = await engine.api.createToken({ body: { name: 'CI', role: 'reader', serviceToken: true } }, { as })
  expect(await engine.api.getCallerIdentity({}, { as: service.token })).toMatchObject({
    accountId: 'default',
    authKind: 'token',
    tokenName: 'CI',
    tokenId: service._id,
    serviceToken: true,
  })
  const { items } = await engine.api.listMembers({}, { as })
  expect(await engine.api.getCallerIdentity({}, { as })).toMatchObject({ memberId: items[0]?._id, serviceToken: false })
  expect(await engine.api.getCallerIdentity({}, { as: { role: 'reader' } })).toEqual({
    accountId: 'default',
    authKind: 'host',
    serviceToken: false,
  })
})

it('each link of the API root and each valid API version is served', async () => {
  const request = (path: string, version: string) =>
    engine.handle({
      method: 'GET',
      path,
      query: '',
      header: (name) => ({ authorization: as, 'svc-api-version': version })[name],
      body: { kind: 'parsed', value: undefined },
    })
  const { links } = await engine.api.getRoot({}, { as })
  const statuses = await Promise.all(Object.values(links).map(async ({ href }) => (await request(href, '')).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const { validVersions, latestVersion } = await engine.api.getVersions({}, { as })
  expect(validVersions).toContain(latestVersion)
  for (const version of validVersions) expect((await request('/api/v2', String(version))).status).toBe(200)
  expect((await request('/api/v2', '20990101')).status).toBe(400)
})

it('searchChangeLog finds the entries with a change that a statement selects', async () => {
  const namesFor = async (body: readonly object[], query: object = {}) =>
    (await engine.api.searchChangeLog({ ...query, body: body as never }, { as })).items.map(({ name }) => name)
  const allow = (resource: string, actions = ['*']) => ({ effect: 'allow', resources: [resource], actions })
  expect(await namesFor([])).toEqual((await engine.api.listChangeLog({}, { as })).items.map(({ name }) => name))
  expect(await namesFor([allow('proj/app')])).toEqual(['App'])
  expect(await namesFor([allow('proj/*', ['createProject'])])).toEqual(['App', 'Web'])
  expect(await namesFor([allow('proj/*'), { ...allow('proj/app'), effect: 'deny' }], { limit: 1 })).toEqual(['Web'])
  expect(await namesFor([allow('proj/*')], { q: 'web' })).toEqual(['Web'])
  await expect(namesFor([{ effect: 'maybe', resources: ['proj/*'], actions: ['*'] }])).rejects.toMatchObject({
    body: { code: 'invalid_request' },
  })
})
