import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type As, createEngine } from '../../../index.ts'
import { allow, engineRequest, failureOf } from '../../account/test/calls.ts'

const admin = { as: { role: 'admin' } } as const
const start = Date.UTC(2026, 10, 2)
const minute = 60_000

/**
 * Reports deployments of `shop` to three environments of two projects, a minute apart, and a deployment of `mail` to
 * the first of them.
 */
async function deployedApplications() {
  let now = start
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => now })
  await engine.bootstrap()
  const { api } = engine
  const report = async (projectKey: string, environmentKey: string, overrides: object = {}) => {
    const event = { applicationKey: 'shop', version: '1.0.0', eventType: 'finished', eventTime: now, ...overrides }
    await api.createDeploymentEvent({ body: { projectKey, environmentKey, ...event } as never }, admin)
    now += minute
  }
  for (const key of ['web', 'other']) await api.createProject({ body: { key, name: key } }, admin)
  await report('web', 'test', { applicationName: 'Shop', applicationKind: 'browser' })
  await report('web', 'production', { applicationName: 'The shop' })
  await report('other', 'production', { version: '2.0.0', versionName: 'Two' })
  await report('web', 'test', { applicationKey: 'mail', applicationKind: 'mobile' })
  return {
    engine,
    api,
    report,
    pass: (ms: number) => {
      now += ms
    },
    /** Returns the stored applications `shop`, in the order of their creation. */
    stored: () =>
      Promise.all(
        [
          ['web', 'test'],
          ['web', 'production'],
          ['other', 'production'],
        ].map(([projectKey = '', environmentKey = '']) =>
          api
            .getApplication({ projectKey, environmentKey, applicationKey: 'shop' }, admin)
            .catch(({ code }: { code: string }) => code),
        ),
      ),
  }
}

const shop = { applicationKey: 'shop' }
const ofWeb = (...actions: string[]): As => ({
  policy: [
    allow(['viewProject'], ['proj/web']),
    allow(actions, ['proj/web:env/*:application/*']),
    allow(actions, ['proj/web:env/*:deployment/*']),
  ],
})

describe('applications of the account', () => {
  it('are the applications of all environments, each once, with the properties of the oldest', async () => {
    const { api } = await deployedApplications()
    const link = (href: string) => ({ href, type: 'application/json' })
    const expected = {
      _links: { self: link('/api/v2/applications/shop'), parent: link('/api/v2/applications') },
      key: 'shop',
      name: 'Shop',
      kind: 'browser',
      description: '',
      autoAdded: true,
      creationDate: String(start),
      _version: 3,
    }
    expect(await api.getAccountApplication(shop, admin)).toEqual(expected)
    const { items, totalCount } = await api.getAccountApplications({}, admin)
    expect([items.map(({ key }) => key), totalCount]).toEqual([['mail', 'shop'], 2])
    expect(items[1]).toEqual(expected)
  })

  it.each([
    [{ sort: '-name' }, ['shop', 'mail']],
    [{ sort: 'creationDate' }, ['shop', 'mail']],
    [{ sort: '-creationDate,name' }, ['mail', 'shop']],
    [{ filter: 'kind equals "mobile"' }, ['mail']],
    [{ filter: 'key anyOf ["shop", "mail"], autoAdded equals true' }, ['mail', 'shop']],
    [{ filter: 'autoAdded equals false' }, []],
    [{ limit: 1, offset: 1 }, ['shop']],
  ])('are sorted, filtered and paged by %j', async (query, expected) => {
    const { api } = await deployedApplications()
    const { items } = await api.getAccountApplications(query, admin)
    expect(items.map(({ key }) => key)).toEqual(expected)
  })

  it('are not found by a caller who may view none of their projects', async () => {
    const { api } = await deployedApplications()
    const as: As = { policy: [allow(['viewProject'], ['proj/none'])] }
    expect((await api.getAccountApplications({}, { as })).totalCount).toBe(0)
    const calls = [
      api.getAccountApplication(shop, { as }),
      api.patchAccountApplication({ ...shop, body: [{ op: 'replace', path: '/name', value: 'X' }] }, { as }),
      api.deleteAccountApplication(shop, { as }),
      api.getApplicationVersions(shop, { as }),
      api.deleteApplicationVersion({ ...shop, versionKey: '1.0.0' }, { as }),
    ]
    for (const call of calls) expect((await failureOf(call)).code).toBe('not_found')
  })

  it('show only the projects that the caller may view', async () => {
    const { api } = await deployedApplications()
    const as: As = { policy: [allow(['viewProject'], ['proj/other'])] }
    expect(await api.getAccountApplication(shop, { as })).toMatchObject({
      name: 'shop',
      creationDate: String(start + 2 * minute),
      _version: 1,
    })
    expect((await api.getApplicationVersions(shop, { as })).items.map(({ key }) => key)).toEqual(['2.0.0'])
  })
})

describe('a change of an application of the account', () => {
  it('is made in every environment, and undone in all of them by one revert', async () => {
    const { api, stored } = await deployedApplications()
    const before = await stored()
    const body = [
      { op: 'test', path: '/name', value: 'Shop' },
      { op: 'replace', path: '/name', value: 'Shop' },
      { op: 'replace', path: '/description', value: 'Sells things' },
    ] as const
    const patched = await api.patchAccountApplication({ ...shop, body }, admin)
    expect(patched).toMatchObject({ name: 'Shop', description: 'Sells things', kind: 'browser', _version: 6 })
    expect(await api.getAccountApplication(shop, admin)).toEqual(patched)
    // The patch does not name the kind.
    expect(await stored()).toMatchObject([
      { name: 'Shop', description: 'Sells things', kind: 'browser' },
      { name: 'Shop', description: 'Sells things', kind: 'server' },
      { name: 'Shop', description: 'Sells things', kind: 'server' },
    ])
    const [entry] = (await api.listChangeLog({ limit: 1 }, admin)).items
    await api.revertChangeLogEntry({ id: entry?._id as string, body: {} }, admin)
    const content = (list: readonly unknown[]) => list.map((each) => ({ ...(each as object), _version: 0 }))
    expect(content(await stored())).toEqual(content(before))
  })

  it('needs the right in each environment that the caller may view, and changes no other environment', async () => {
    const { api, stored } = await deployedApplications()
    const body = [{ op: 'replace', path: '/description', value: 'New' }] as const
    const one: As = {
      policy: [
        allow(['viewProject'], ['proj/web']),
        allow(['updateApplication', 'deleteApplication'], ['proj/web:env/test:application/*']),
      ],
    }
    expect((await failureOf(api.patchAccountApplication({ ...shop, body }, { as: one }))).code).toBe('forbidden')
    expect((await failureOf(api.deleteAccountApplication(shop, { as: one }))).code).toBe('forbidden')
    await api.patchAccountApplication({ ...shop, body }, { as: ofWeb('updateApplication') })
    expect(await stored()).toMatchObject([{ description: 'New' }, { description: 'New' }, { description: '' }])
    await api.deleteAccountApplication(shop, { as: ofWeb('deleteApplication') })
    expect(await stored()).toMatchObject(['not_found', 'not_found', { description: '' }])
  })

  it('is refused with 409 when the application was added to another environment after the version in If-Match', async () => {
    const { engine, report, stored } = await deployedApplications()
    const { token } = await engine.api.createToken({ body: { name: 'Test', role: 'admin' } }, admin)
    const send = (method: string, body: unknown, headers: object = {}) => {
      const all = { authorization: token, 'svc-api-version': 'beta', ...headers }
      return engine.handle(engineRequest(method, '/api/v2/applications/shop', body, all))
    }
    const { headers } = await send('GET', undefined)
    const etag = headers.etag as string
    await report('other', 'test')
    const body = [{ op: 'replace', path: '/description', value: 'New' }]
    expect((await send('PATCH', body, { 'if-match': etag })).status).toBe(409)
    expect((await send('DELETE', undefined, { 'if-match': etag })).status).toBe(409)
    expect(await stored()).toMatchObject([{ description: '' }, { description: '' }, { description: '' }])
    const current = (await send('GET', undefined)).headers.etag
    expect((await send('PATCH', body, { 'if-match': current })).status).toBe(200)
  })
})

describe('versions of an application', () => {
  it('are the versions that were deployed to any environment', async () => {
    const { api } = await deployedApplications()
    const { items, totalCount } = await api.getApplicationVersions({ ...shop, sort: 'creationDate' }, admin)
    expect(items).toMatchObject([
      { key: '1.0.0', name: '1.0.0', supported: true, autoAdded: true, creationDate: String(start), _version: 2 },
      { key: '2.0.0', name: 'Two', supported: true, autoAdded: true, creationDate: String(start + 2 * minute) },
    ])
    expect(totalCount).toBe(2)
  })

  it('are marked as unsupported in every environment, and lists can filter by this', async () => {
    const { api, report } = await deployedApplications()
    const mark = (value: boolean, as: As = admin.as) =>
      api.patchApplicationVersion(
        { ...shop, versionKey: '1.0.0', body: [{ op: 'replace', path: '/supported', value }] },
        { as },
      )
    expect((await failureOf(mark(false, ofWeb('updateApplication')))).code).toBe('forbidden')
    expect((await mark(false, ofWeb('updateDeployment'))).supported).toBe(false)
    // A later deployment of the version changes nothing.
    await report('other', 'test')
    const keysOf = async (filter: string) =>
      (await api.getApplicationVersions({ ...shop, filter }, admin)).items.map(({ key }) => key)
    expect(await keysOf('supported equals false')).toEqual(['1.0.0'])
    expect((await mark(true)).supported).toBe(true)
    expect(await keysOf('supported equals true')).toEqual(['1.0.0', '2.0.0'])
  })

  it('are deleted with their deployments, while the application stays', async () => {
    const { api } = await deployedApplications()
    const deployed = async () =>
      (await api.listDeployments({ projectKey: 'web', environmentKey: 'test', ...shop }, admin)).totalCount
    expect(await deployed()).toBe(1)
    const version = { ...shop, versionKey: '1.0.0' }
    expect((await failureOf(api.deleteApplicationVersion(version, { as: ofWeb('updateDeployment') }))).code).toBe(
      'forbidden',
    )
    await api.deleteApplicationVersion(version, admin)
    expect(await deployed()).toBe(0)
    expect((await api.getApplicationVersions(shop, admin)).items.map(({ key }) => key)).toEqual(['2.0.0'])
    expect((await api.getAccountApplication(shop, admin)).key).toBe('shop')
    expect((await failureOf(api.deleteApplicationVersion(version, admin))).code).toBe('not_found')
  })
})
