import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CallInput, createEngine, type Engine, type Statement } from '../../index.ts'
import type { createDeploymentEvent } from './create-deployment-event.ts'

const now = Date.UTC(2028, 1, 29, 23, 59)
const minute = 60_000
const admin = { as: { role: 'admin' } } as const
const place = { projectKey: 'web', environmentKey: 'production' }

type Event = CallInput<typeof createDeploymentEvent>['body']

let engine: Engine

beforeEach(async () => {
  engine = createEngine({ storage: createMemoryStorage(), clock: () => now })
  await engine.migrate()
  await engine.bootstrap({ token: 'a-token-for-this-test' })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, admin)
  await engine.api.createProject({ body: { key: 'other', name: 'Other' } }, admin)
})

function tell(eventType: Event['eventType'], eventTime: number | undefined, more: Partial<Event> = {}) {
  const body: Event = { ...place, applicationKey: 'shop', version: '1.0.0', eventType, eventTime, ...more }
  return engine.api.createDeploymentEvent({ body }, admin)
}

const list = (query: object = {}) => engine.api.listDeployments({ ...place, ...query }, admin)

async function only() {
  const { items, totalCount } = await list()
  expect(totalCount).toBe(1)
  return items[0] as (typeof items)[number]
}

const base = '/api/v2/engineering-insights'

function ask(
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
) {
  const all: Record<string, string> = { authorization: 'a-token-for-this-test', 'svc-api-version': 'beta', ...headers }
  const [pathname = '', query = ''] = path.split('?')
  return engine.handle({
    method,
    path: pathname,
    query,
    header: (name) => all[name],
    body: { kind: 'parsed', value: body },
  })
}

it('a deployment is found by the id that it had before ids began with their environment', async () => {
  const storage = createMemoryStorage()
  engine = createEngine({ storage, clock: () => now })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, admin)
  await tell('finished', now)
  const { id } = await only()
  const account = storage.account('default')
  const scope = 'proj/web:env/production'
  const stored = await account.get({ collection: 'deployment', scope, key: id })
  const old = '0f3c1a52-77de-8b14-9c02-5d1be0a6f4e7'
  const body = { ...(stored?.body as object), id: old }
  const { fields } =
    (await account.list({ collection: 'deployment', scope, limit: 1, select: 'fields' })).items[0] ?? {}
  await account.commit([
    { do: 'insert', id: { collection: 'deployment', scope, key: old }, body, fields: { ...fields, id: old } },
    { do: 'insert', id: { collection: 'deployment-place', scope: '', key: old }, body: place, fields: {} },
  ])
  expect(await engine.api.getDeployment({ deploymentID: old }, admin)).toMatchObject({ id: old, status: 'finished' })
  const archived = [{ op: 'replace', path: '/archived', value: true }] as const
  expect((await engine.api.patchDeployment({ deploymentID: old, body: archived }, admin)).archived).toBe(true)
  await engine.api.deleteDeployment({ deploymentID: old }, admin)
  await expect(engine.api.getDeployment({ deploymentID: old }, admin)).rejects.toMatchObject({ code: 'not_found' })
  expect((await only()).id).toBe(id)
})

describe('a deployment event', () => {
  it('makes a deployment with every field of the reference', async () => {
    await tell('started', now - 10 * minute, {
      applicationName: 'Shop',
      applicationKind: 'browser',
      versionName: 'One',
      deploymentMetadata: { region: 'eu' },
    })
    const { id, ...shown } = await only()
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(shown).toEqual({
      _links: { self: { href: `${base}/deployments/${id}`, type: 'application/json' } },
      applicationKey: 'shop',
      applicationName: 'Shop',
      applicationKind: 'browser',
      applicationVersion: '1.0.0',
      versionName: 'One',
      environmentKey: 'production',
      status: 'started',
      kind: 'deployment',
      startedAt: String(now - 10 * minute),
      active: false,
      archived: false,
      metadata: { region: 'eu' },
      numberOfContributors: 0,
      numberOfPullRequests: 0,
      linesAdded: 0,
      linesDeleted: 0,
      leadTime: 0,
    })
  })

  it('advances the deployment of its version', async () => {
    await tell('started', now - 10 * minute)
    await tell('finished', now - 4 * minute)
    expect(await only()).toMatchObject({
      status: 'finished',
      startedAt: String(now - 10 * minute),
      endedAt: String(now - 4 * minute),
      durationMs: 6 * minute,
      active: true,
    })
  })

  it('may come before the one that happened before it', async () => {
    await tell('finished', now - 4 * minute)
    expect(await only()).toMatchObject({ status: 'finished', startedAt: String(now - 4 * minute) })
    await tell('started', now - 10 * minute)
    expect(await only()).toMatchObject({
      status: 'finished',
      startedAt: String(now - 10 * minute),
      durationMs: 6 * minute,
    })
  })

  it('changes nothing when it is told again', async () => {
    await tell('started', now - 10 * minute)
    const before = await only()
    await tell('started', now - 10 * minute)
    expect(await only()).toEqual(before)
    const answer = await ask('GET', `${base}/deployments/${before.id}`)
    expect(answer.headers.etag).toBe('"1"')
  })

  it('happened when it arrives, where it does not say', async () => {
    await tell('started', undefined)
    expect((await only()).startedAt).toBe(String(now))
  })

  it('makes one deployment for each application, version and environment', async () => {
    await tell('started', now)
    await tell('started', now, { version: '1.0.1' })
    await tell('started', now, { applicationKey: 'api' })
    await tell('started', now, { environmentKey: 'test' })
    await tell('started', now, { projectKey: 'other' })
    expect((await list()).totalCount).toBe(3)
    expect((await list({ environmentKey: 'test' })).totalCount).toBe(1)
    expect((await list({ projectKey: 'other' })).totalCount).toBe(1)
    const ids = [...(await list()).items, ...(await list({ environmentKey: 'test' })).items].map((one) => one.id)
    expect(new Set(ids).size).toBe(4)
  })

  it('keeps the metadata of the latest event that has any', async () => {
    await tell('finished', now - minute, { deploymentMetadata: { build: 2 } })
    await tell('started', now - 5 * minute, { deploymentMetadata: { build: 1 } })
    await tell('custom', now)
    expect((await only()).metadata).toEqual({ build: 2 })
  })

  it('answers 201 without a body', async () => {
    const body = { ...place, applicationKey: 'shop', version: '1', eventType: 'started' }
    expect(await ask('POST', `${base}/deployment-events`, { body })).toMatchObject({ status: 201, body: undefined })
    const plain = await ask('POST', `${base}/deployment-events`, { body, headers: { 'svc-api-version': '' } })
    expect(plain.status).toBe(403)
  })

  it.each([
    [{ projectKey: undefined }, 'projectKey'],
    [{ environmentKey: 'a b' }, 'environmentKey'],
    [{ applicationKey: '' }, 'applicationKey'],
    [{ version: '1.0+build' }, 'version'],
    [{ eventType: 'stopped' }, 'eventType'],
    [{ applicationKind: 'desktop' }, 'applicationKind'],
    [{ eventTime: 1.5 }, 'eventTime'],
    [{ deploymentMetadata: 'text' }, 'deploymentMetadata'],
    [{ surprise: 1 }, 'surprise'],
    [{ pullRequests: [{ externalId: 'a', startedAt: 1, mergedAt: 2 }] }, 'pullRequests'],
  ])('refuses %j', async (wrong, attribute) => {
    const body = { ...place, applicationKey: 'shop', version: '1', eventType: 'started', ...wrong }
    const answer = await ask('POST', `${base}/deployment-events`, { body })
    expect(answer.status).toBe(400)
    const { code, errors } = JSON.parse(answer.body as string) as { code: string; errors: { attribute: string }[] }
    expect(code).toBe('invalid_request')
    expect(errors.map((one) => one.attribute)).toEqual([attribute])
  })

  it('finds no unknown project or environment', async () => {
    await expect(tell('started', now, { projectKey: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(tell('started', now, { environmentKey: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('asks for createDeployment in the environment that the body names', async () => {
    const policy: Statement[] = [
      { effect: 'allow', resources: ['proj/web:env/test:deployment/*'], actions: ['createDeployment'] },
    ]
    const event = (environmentKey: string) => {
      const body: Event = { ...place, environmentKey, applicationKey: 'shop', version: '1', eventType: 'started' }
      return engine.api.createDeploymentEvent({ body }, { as: { policy } })
    }
    await expect(event('test')).resolves.toBeUndefined()
    await expect(event('production')).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('the pull requests of a deployment', () => {
  const hour = 60 * minute
  const pullRequests = [
    {
      externalId: '7',
      author: 'ada',
      startedAt: now - 9 * hour,
      openedAt: now - 5 * hour,
      mergedAt: now - 2 * hour,
      linesAdded: 10,
    },
    {
      externalId: '8',
      author: 'ada',
      startedAt: now - 3 * hour,
      mergedAt: now - 2 * hour,
      linesAdded: 5,
      linesDeleted: 4,
    },
    { externalId: '9', title: 'Fix', author: 'bob', startedAt: now - 4 * hour, mergedAt: now - 2 * hour },
  ]

  it('are counted and shown with it', async () => {
    await tell('finished', now - hour, { pullRequests })
    expect(await only()).toMatchObject({
      numberOfContributors: 2,
      numberOfPullRequests: 3,
      linesAdded: 15,
      linesDeleted: 4,
      leadTime: 8 * hour,
    })
    expect(await only()).not.toHaveProperty('pullRequests')
    const [shown] = (await list({ expand: ['pullRequests'] })).items
    expect(shown?.pullRequests?.totalCount).toBe(3)
    expect(shown?.pullRequests?.items[0]).toEqual({
      externalId: '7',
      author: 'ada',
      createTime: String(now - 5 * hour),
      mergeTime: String(now - 2 * hour),
      linesAdded: 10,
      linesDeleted: 0,
      leadTime: 8 * hour,
    })
  })

  it('are samples of lead time, once', async () => {
    await tell('started', now - 1.5 * hour)
    await tell('finished', now - hour, { pullRequests })
    await tell('finished', now - hour, { pullRequests })
    const { metadata } = await engine.api.getLeadTimeChart(place, admin)
    expect(metadata.summary).toEqual({
      coding: { count: 3, mean: ((4 + 1 + 2) * hour) / 3 },
      review: { count: 1, mean: 3 * hour },
      wait: { count: 3, mean: 0.5 * hour },
      deploy: { count: 3, mean: 0.5 * hour },
      total: { count: 3, mean: ((8 + 2 + 3) * hour) / 3 },
      percentileError: 0,
    })
  })
})

describe('what is active', () => {
  const versions = async () => (await list()).items.filter((one) => one.active).map((one) => one.applicationVersion)

  it('is the version that was finished last, of each application', async () => {
    await tell('finished', now - 5 * minute, { version: '1' })
    await tell('finished', now - 3 * minute, { version: '2' })
    await tell('failed', now - 2 * minute, { version: '3' })
    await tell('finished', now - 9 * minute, { version: 'a1', applicationKey: 'api' })
    expect((await versions()).sort()).toEqual(['2', 'a1'])
  })

  it('is an older version again when that is deployed again', async () => {
    await tell('finished', now - 5 * minute, { version: '1' })
    await tell('finished', now - 3 * minute, { version: '2' })
    await tell('finished', now - minute, { version: '1' })
    expect(await versions()).toEqual(['1'])
  })
})

describe('the list of deployments', () => {
  const seen = (answer: Awaited<ReturnType<typeof list>>) => answer.items.map((one) => one.applicationVersion)

  it('is filtered by application, status, kind and start', async () => {
    await tell('started', now - 4 * minute, { version: 'a' })
    await tell('finished', now - 3 * minute, { version: 'b', applicationKey: 'api' })
    await tell('failed', now - 2 * minute, { version: 'c', applicationKey: 'job' })
    await tell('started', now - minute, { version: 'c', applicationKey: 'job' })
    expect(seen(await list())).toEqual(['c', 'b', 'a'])
    expect(seen(await list({ applicationKey: 'api,shop' }))).toEqual(['b', 'a'])
    expect(seen(await list({ status: 'started' }))).toEqual(['c', 'a'])
    expect(seen(await list({ status: 'finished' }))).toEqual(['b'])
    expect(seen(await list({ kind: 'redeployment' }))).toEqual(['c'])
    expect(seen(await list({ from: now - 3 * minute, to: now - minute }))).toEqual(['b'])
    expect(seen(await list({ from: now - 4 * minute, to: now }))).toEqual(['c', 'b', 'a'])
  })

  it('is paged by cursors both ways, also among deployments of one moment', async () => {
    const times = [5, 4, 4, 4, 4, 4, 3, 2, 2, 1].map((minutes) => now - minutes * minute)
    for (const [i, time] of times.entries()) await tell('started', time, { version: `v${i}` })
    const all = (await list()).items.map((one) => one.id)
    expect(all).toHaveLength(10)

    const follow = async (href: string) => {
      const answer = await ask('GET', href)
      expect(answer.status).toBe(200)
      return JSON.parse(answer.body as string) as Awaited<ReturnType<typeof list>>
    }
    const walk = async (href: string | undefined, rel: 'next' | 'prev') => {
      const pages: string[][] = []
      let page: Awaited<ReturnType<typeof list>> | undefined
      for (let at = href; at; at = page._links[rel]?.href) {
        page = await follow(at)
        expect(page.totalCount).toBe(10)
        pages.push(page.items.map((one) => one.id))
      }
      return { pages, last: page }
    }
    const first = `${base}/deployments?projectKey=web&environmentKey=production&limit=3`
    const down = await walk(first, 'next')
    expect(down.pages.map((page) => page.length)).toEqual([3, 3, 3, 1])
    expect(down.pages.flat()).toEqual(all)
    expect((await follow(first))._links).not.toHaveProperty('prev')

    const up = await walk(down.last?._links.prev?.href, 'prev')
    expect(up.pages.reverse().flat()).toEqual(all.slice(0, 9))
    const back = await follow(up.last?._links.next?.href as string)
    expect(back.items.map((one) => one.id)).toEqual(all.slice(3, 6))
  })

  it('keeps its pages apart when newer deployments arrive meanwhile', async () => {
    for (const [i, version] of ['a', 'b', 'c', 'd'].entries())
      await tell('started', now - (10 - i) * minute, { version })
    const first = await list({ limit: 2 })
    await tell('started', now, { version: 'new' })
    const after = /after=([^&]+)/.exec(first._links.next?.href ?? '')?.[1]
    expect(seen(first)).toEqual(['d', 'c'])
    expect(seen(await list({ limit: 2, after }))).toEqual(['b', 'a'])
  })

  it.each([
    ['', ['projectKey', 'environmentKey']],
    ['projectKey=web&environmentKey=production&limit=101', ['limit']],
    ['projectKey=web&environmentKey=production&limit=0', ['limit']],
    ['projectKey=web&environmentKey=production&status=gone', ['status']],
    ['projectKey=web&environmentKey=production&kind=rollback', ['kind']],
    ['projectKey=web&environmentKey=production&expand=all', ['expand.0']],
    // No event tells which flags a version refers to, so there is nothing to expand.
    ['projectKey=web&environmentKey=production&expand=flagReferences', ['expand.0']],
    ['projectKey=web&environmentKey=production&after=here', ['after']],
    [`projectKey=web&environmentKey=production&after=1_${'0'.repeat(36)}&before=1_${'0'.repeat(36)}`, ['before']],
  ])('refuses ?%s', async (query, attributes) => {
    const answer = await ask('GET', `${base}/deployments?${query}`)
    expect(answer.status).toBe(400)
    const { errors } = JSON.parse(answer.body as string) as { errors: { attribute: string }[] }
    expect(errors.map((one) => one.attribute)).toEqual(attributes)
  })

  it('finds no unknown project or environment, and shows a project only to who may view it', async () => {
    await expect(list({ projectKey: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(list({ environmentKey: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
    const policy: Statement[] = [{ effect: 'allow', resources: ['proj/other'], actions: ['viewProject'] }]
    await expect(engine.api.listDeployments(place, { as: { policy } })).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('one deployment', () => {
  const viewer: Statement = { effect: 'allow', resources: ['proj/web'], actions: ['viewProject'] }
  const may = (action: string): Statement[] => [
    viewer,
    { effect: 'allow', resources: ['proj/web:env/production:deployment/*'], actions: [action] },
  ]
  let id: string

  beforeEach(async () => {
    await tell('finished', now)
    id = (await only()).id
  })

  it('is found by its id', async () => {
    expect(await engine.api.getDeployment({ deploymentID: id }, admin)).toEqual(await only())
    const reader = { as: { policy: [viewer] } }
    expect(await engine.api.getDeployment({ deploymentID: id }, reader)).toMatchObject({ id, active: true })
  })

  it('is not there for who may not view its project', async () => {
    const policy: Statement[] = [{ effect: 'allow', resources: ['proj/other'], actions: ['viewProject'] }]
    const as = { as: { policy } }
    const missing = { code: 'not_found' }
    await expect(engine.api.getDeployment({ deploymentID: id }, as)).rejects.toMatchObject(missing)
    await expect(engine.api.patchDeployment({ deploymentID: id, body: [] }, as)).rejects.toMatchObject(missing)
    await expect(engine.api.deleteDeployment({ deploymentID: id }, as)).rejects.toMatchObject(missing)
    await expect(engine.api.getDeployment({ deploymentID: 'nope' }, admin)).rejects.toMatchObject(missing)
  })

  it('is archived by a patch, by who may', async () => {
    const body = [{ op: 'replace', path: '/archived', value: true }]
    const denied = engine.api.patchDeployment({ deploymentID: id, body }, { as: { policy: [viewer] } })
    await expect(denied).rejects.toMatchObject({ code: 'forbidden' })
    const patched = await engine.api.patchDeployment(
      { deploymentID: id, body },
      { as: { policy: may('updateDeployment') } },
    )
    expect(patched).toMatchObject({ id, archived: true, status: 'finished', active: true })
    expect((await only()).archived).toBe(true)
  })

  it('takes a patch of its metadata, and of nothing else', async () => {
    const change = (body: { op: string; path: string; value: unknown }[]) =>
      engine.api.patchDeployment({ deploymentID: id, body }, admin)
    expect((await change([{ op: 'add', path: '/metadata/note', value: 'x' }])).metadata).toEqual({ note: 'x' })
    for (const path of ['/id', '/history', '/status', '/applicationVersion']) {
      await expect(change([{ op: 'replace', path, value: 'x' }])).rejects.toMatchObject({ code: 'invalid_request' })
    }
    await expect(change([{ op: 'replace', path: '/archived', value: 'yes' }])).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'archived' }],
    })
  })

  it('is not changed over a revision that the caller has not seen', async () => {
    const body = [{ op: 'replace', path: '/archived', value: true }]
    const stale = { ...admin, ifMatch: '"7"' }
    const conflict = { code: 'optimistic_locking_error' }
    await expect(engine.api.patchDeployment({ deploymentID: id, body }, stale)).rejects.toMatchObject(conflict)
    await expect(engine.api.deleteDeployment({ deploymentID: id }, stale)).rejects.toMatchObject(conflict)
  })

  it('is deleted by who may, and can be told of anew', async () => {
    const denied = engine.api.deleteDeployment({ deploymentID: id }, { as: { policy: may('updateDeployment') } })
    await expect(denied).rejects.toMatchObject({ code: 'forbidden' })
    await engine.api.deleteDeployment({ deploymentID: id }, { as: { policy: may('deleteDeployment') } })
    expect((await list()).totalCount).toBe(0)
    await expect(engine.api.getDeployment({ deploymentID: id }, admin)).rejects.toMatchObject({ code: 'not_found' })
    await tell('started', now)
    expect(await engine.api.getDeployment({ deploymentID: id }, admin)).toMatchObject({ status: 'started' })
  })

  it('goes with its environment, and can be told of anew when that is made again', async () => {
    await engine.api.deleteEnvironment(place, admin)
    await expect(engine.api.getDeployment({ deploymentID: id }, admin)).rejects.toMatchObject({ code: 'not_found' })
    const body = { key: 'production', name: 'Production', color: '000000' }
    await engine.api.createEnvironment({ projectKey: 'web', body }, admin)
    await tell('started', now)
    expect(await engine.api.getDeployment({ deploymentID: id }, admin)).toMatchObject({ status: 'started' })
  })

  it('answers 204 without a body to its deletion over a transport', async () => {
    expect(await ask('DELETE', `${base}/deployments/${id}`)).toMatchObject({ status: 204, body: undefined })
    expect((await ask('DELETE', `${base}/deployments/${id}`)).status).toBe(404)
  })
})
