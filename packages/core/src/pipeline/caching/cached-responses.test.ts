import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import { createEngine, type Engine, type EngineInput } from '../../index.ts'
import { get } from '../test/requests.ts'

const start = Date.UTC(2026, 0, 1)
const viewAll: Statement = { effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] }
const flag = 'flags/web/checkout'

/** Two engines over one storage, a project with a flag, and a clock for both. */
async function twoEngines(input: Partial<EngineInput> = {}) {
  const storage = createMemoryStorage()
  let now = start
  const options = { rateLimit: false, ...input, storage, clock: () => now } as const
  const [localEngine, otherEngine] = [createEngine(options), createEngine(options)] as const
  const admin = (await localEngine.bootstrap())?.token as string
  const as = admin
  const { api } = localEngine
  await api.createProject({ body: { key: 'web', name: 'Web', tags: ['ours'] } }, { as })
  await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  const hitsOf = (engine: Engine) => engine.cacheStats().responses.hits
  const rename = (name: string, engine = localEngine) => {
    const body = [{ op: 'replace', path: '/name', value: name }] as const
    return engine.api.patchFlag({ projectKey: 'web', flagKey: 'checkout', body: [...body] } as never, { as })
  }
  return {
    storage,
    here: localEngine,
    there: otherEngine,
    api,
    as,
    admin,
    hitsOf,
    rename,
    advance: (ms: number) => (now += ms),
    now: () => now,
  }
}

const nameIn = (response: { readonly body: string | undefined }) => JSON.parse(response.body ?? '{}').name

describe('the cached response to a GET', () => {
  it('is computed once for a caller, and is the same for later requests', async () => {
    const { here: localEngine, admin, hitsOf } = await twoEngines()
    const first = await get(localEngine, flag, admin)
    const second = await get(localEngine, flag, admin)
    expect(hitsOf(localEngine)).toBe(1)
    expect(second.body).toBe(first.body)
    expect(second.status).toBe(200)
    const requestIdHeader = 'x-request-id'
    expect({ ...second.headers, [requestIdHeader]: '' }).toEqual({ ...first.headers, [requestIdHeader]: '' })
    expect(second.headers[requestIdHeader]).not.toBe(first.headers[requestIdHeader])
    expect(second.length).toBe(Buffer.byteLength(second.body as string))
  })

  it('is computed again after a change by any engine', async () => {
    const { here: localEngine, there: otherEngine, admin, rename } = await twoEngines()
    for (const [name, writer] of [
      ['One', localEngine],
      ['Two', otherEngine],
      ['Three', localEngine],
    ] as const) {
      await Promise.all([get(localEngine, flag, admin), get(otherEngine, flag, admin)])
      await rename(name, writer)
      expect(nameIn(await get(localEngine, flag, admin))).toBe(name)
      expect(nameIn(await get(otherEngine, flag, admin))).toBe(name)
    }
  })

  it('depends on path, query and version, and is the same for GET and HEAD', async () => {
    const { here: localEngine, admin, hitsOf } = await twoEngines()
    await get(localEngine, 'flags/web?limit=1', admin)
    await get(localEngine, 'flags/web?limit=2', admin)
    await get(localEngine, 'flags/web', admin)
    await get(localEngine, 'flags/web', admin, { 'svc-api-version': '20240415' })
    expect(hitsOf(localEngine)).toBe(0)
    const head = await localEngine.handle({
      method: 'HEAD',
      path: '/api/v2/flags/web',
      query: '',
      header: (name) => ({ authorization: admin, 'svc-api-version': 'beta' })[name],
      body: { kind: 'parsed', value: undefined },
    })
    expect([head.status, hitsOf(localEngine)]).toEqual([200, 1])
  })

  it('is replaced by 304 for a caller that sends its ETag, cached or not', async () => {
    const { here: localEngine, admin, rename, hitsOf } = await twoEngines()
    const { headers } = await get(localEngine, flag, admin)
    const etag = headers.etag as string
    await rename('Other')
    await rename('Checkout')
    expect((await get(localEngine, flag, admin, { 'if-none-match': etag })).status).toBe(200)
    const now = (await get(localEngine, flag, admin)).headers.etag as string
    const revalidated = await get(localEngine, flag, admin, { 'if-none-match': `W/${now}` })
    expect([revalidated.status, revalidated.body, revalidated.headers.etag, hitsOf(localEngine)]).toEqual([
      304,
      undefined,
      now,
      2,
    ])
    localEngine.clearCaches()
    expect((await get(localEngine, flag, admin, { 'if-none-match': now })).status).toBe(304)
    // The request with an ETag has filled the cache for requests without one.
    expect((await get(localEngine, flag, admin)).status).toBe(200)
    expect(hitsOf(localEngine)).toBe(3)
  })

  it('is not cached when it is an error', async () => {
    const { here: localEngine, admin, hitsOf } = await twoEngines()
    for (let time = 0; time < 2; time++) expect((await get(localEngine, 'flags/web/none', admin)).status).toBe(404)
    expect([hitsOf(localEngine), localEngine.cacheStats().responses.entries]).toEqual([0, 0])
  })

  it('is not cached when the handler reads the clock', async () => {
    const { here: localEngine, admin, hitsOf, advance: pass } = await twoEngines()
    const status = async () => nameIn(await get(localEngine, 'flag-statuses/web/production/checkout', admin))
    expect([await status(), await status()]).toEqual(['new', 'new'])
    pass(90 * 24 * 3_600_000)
    expect(await status()).not.toBe('new')
    expect(hitsOf(localEngine)).toBe(0)
  })

  it('expires when the date of a target is reached', async () => {
    const { here: localEngine, api, as, admin, advance: pass, now, hitsOf } = await twoEngines()
    const segmentRef = { projectKey: 'web', environmentKey: 'test', segmentKey: 's' }
    await api.createSegment({ projectKey: 'web', environmentKey: 'test', body: { key: 's', name: 's' } }, { as })
    await api.patchSegment({ ...segmentRef, body: [{ op: 'replace', path: '/included', value: ['a', 'b'] }] }, { as })
    const instruction = { kind: 'addExpiringTarget', contextKind: 'user', contextKey: 'a', targetType: 'included' }
    const body = { instructions: [{ ...instruction, value: now() + 1_000 }] }
    await api.patchExpiringTargetsForSegment({ ...segmentRef, body } as never, { as })
    const included = async () => JSON.parse((await get(localEngine, 'segments/web/test/s', admin)).body ?? '').included
    expect([await included(), await included()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    pass(999)
    expect(await included()).toEqual(['a', 'b'])
    expect(hitsOf(localEngine)).toBe(2)
    pass(1)
    expect([await included(), await included()]).toEqual([['b'], ['b']])
    expect(hitsOf(localEngine)).toBe(3)
    // With the clock set back, the target is active again.
    pass(-1)
    expect(await included()).toEqual(['a', 'b'])
  })

  it('does not exceed the capacity of the cache, and is not cached when the capacity is 0', async () => {
    const { here: localEngine, admin, hitsOf } = await twoEngines({ cache: { responses: 16 * 12_000 } })
    const { length = 0 } = await get(localEngine, flag, admin)
    for (let i = 0; i < 60; i++) await get(localEngine, `${flag}?seen=${i}`, admin)
    const { size, entries } = localEngine.cacheStats().responses
    expect(size).toBeLessThanOrEqual(16 * 12_000)
    expect(entries).toBeGreaterThan(1)
    expect(length).toBeLessThan(11_000)
    for (const cache of [{ responses: 0 }, { responses: 16 }, false] as const) {
      const small = await twoEngines({ cache })
      for (let time = 0; time < 2; time++) await get(small.here, flag, small.admin)
      expect(small.hitsOf(small.here)).toBe(0)
    }
    expect(hitsOf(localEngine)).toBe(0)
  })

  it('counts against the rate limit when it comes from the cache', async () => {
    const { here: localEngine, admin } = await twoEngines({ rateLimit: { route: 3 } })
    const statuses: number[] = []
    for (let time = 0; time < 5; time++) statuses.push((await get(localEngine, flag, admin)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect((await get(localEngine, flag, admin)).headers).toMatchObject({ 'x-ratelimit-route-remaining': '0' })
  })

  it('is dropped when the storage restores a snapshot or closes', async () => {
    const { storage, here: localEngine, admin, rename } = await twoEngines()
    const before = storage.snapshot()
    await rename('Later')
    expect(nameIn(await get(localEngine, flag, admin))).toBe('Later')
    storage.restore(before)
    expect(nameIn(await get(localEngine, flag, admin))).toBe('Checkout')
    await storage.close()
    expect((await get(localEngine, flag, admin)).status).toBe(503)
  })
})

describe('a caller that loses a right is refused by the next call, on every engine', () => {
  const warm = async (engines: readonly Engine[], path: string, token: string) => {
    for (const engine of [...engines, ...engines]) expect((await get(engine, path, token)).status).toBe(200)
    for (const engine of engines) expect(engine.cacheStats().responses.hits).toBeGreaterThan(0)
  }
  const statuses = (engines: readonly Engine[], path: string, token: string) =>
    Promise.all(engines.map(async (engine) => (await get(engine, path, token)).status))

  it('after its token is revoked', async () => {
    const { here: localEngine, there: otherEngine, api, as } = await twoEngines()
    const created = await api.createToken({ body: { name: 't', role: 'reader', serviceToken: true } }, { as })
    await warm([localEngine, otherEngine], flag, created.token as string)
    await api.deleteToken({ id: created._id }, { as })
    expect(await statuses([localEngine, otherEngine], flag, created.token as string)).toEqual([401, 401])
  })

  it('after its token expires', async () => {
    const { here: localEngine, there: otherEngine, api, as, advance: pass, now } = await twoEngines()
    const created = await api.createToken({ body: { name: 't', role: 'reader', serviceToken: true } }, { as })
    await api.resetToken({ id: created._id, expiry: now() + 1_000 }, { as })
    await warm([localEngine, otherEngine], flag, created.token as string)
    pass(999)
    expect(await statuses([localEngine, otherEngine], flag, created.token as string)).toEqual([200, 200])
    pass(1)
    expect(await statuses([localEngine, otherEngine], flag, created.token as string)).toEqual([401, 401])
  })

  it('after a role loses a statement', async () => {
    const { here: localEngine, there: otherEngine, api, as } = await twoEngines()
    await api.createRole({ body: { key: 'r', name: 'R', policy: [viewAll] } }, { as })
    const { token } = await api.createToken({ body: { name: 't', customRoleIds: ['r'], serviceToken: true } }, { as })
    await warm([localEngine, otherEngine], flag, token as string)
    const policy = [{ op: 'replace', path: '/policy', value: [{ ...viewAll, resources: ['proj/other'] }] }] as const
    await otherEngine.api.patchRole({ roleKey: 'r', body: [...policy] } as never, { as })
    expect(await statuses([localEngine, otherEngine], flag, token as string)).toEqual([403, 403])
  })

  it('after a tag that a policy tests changes', async () => {
    const { here: localEngine, there: otherEngine, api, as } = await twoEngines()
    const policy = [{ ...viewAll, resources: ['proj/*;ours'] }]
    await api.createRole({ body: { key: 'r', name: 'R', policy } }, { as })
    const { token } = await api.createToken({ body: { name: 't', customRoleIds: ['r'], serviceToken: true } }, { as })
    await warm([localEngine, otherEngine], flag, token as string)
    await localEngine.api.patchProject(
      { projectKey: 'web', body: [{ op: 'replace', path: '/tags', value: [] }] },
      { as },
    )
    expect(await statuses([localEngine, otherEngine], flag, token as string)).toEqual([403, 403])
  })

  it('after the member leaves a team', async () => {
    const { here: localEngine, there: otherEngine, api, as } = await twoEngines()
    await api.createRole({ body: { key: 'r', name: 'R', policy: [viewAll] } }, { as })
    const { items } = await api.createMembers({ body: [{ email: 'a@example.com', role: 'no_access' }] } as never, {
      as,
    })
    const memberId = items[0]?._id as string
    await api.createTeam({ body: { key: 'in', name: 'In', customRoleKeys: ['r'], memberIDs: [memberId] } } as never, {
      as,
    })
    const member = { role: 'owner', memberId } as const
    const { token } = await api.createToken({ body: { name: 't', customRoleIds: ['r'] } }, { as: member })
    await warm([localEngine, otherEngine], flag, token as string)
    const instructions = [{ kind: 'removeMembers', values: [memberId] }]
    await otherEngine.api.patchTeam({ teamKey: 'in', body: { instructions } } as never, { as })
    expect(await statuses([localEngine, otherEngine], flag, token as string)).toEqual([403, 403])
  })
})

it('the use of a token is recorded also when the response comes from the cache', async () => {
  const { here: localEngine, api, as, advance: pass, now } = await twoEngines()
  const created = await api.createToken({ body: { name: 't', role: 'reader', serviceToken: true } }, { as })
  for (let minute = 0; minute < 3; minute++) {
    await get(localEngine, flag, created.token as string)
    const { lastUsed } = await api.getToken({ id: created._id }, { as })
    expect(lastUsed).toBe(String(now()))
    pass(60_000)
  }
  expect(localEngine.cacheStats().responses.hits).toBe(2)
})
