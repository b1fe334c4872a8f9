import type { Api, ApiError as EngineError } from '@halyard/core'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { ApiError, type ClientApi, type ClientOptions, createClient } from './index.ts'

const baseUrl = 'https://flags.example.test'

/** A client whose requests are kept, and answered with an empty object. */
function recorded(options: Partial<ClientOptions> = {}) {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    requests.push(request)
    return Response.json({})
  }
  return { requests, ...createClient({ baseUrl, token: 'api-1', fetch, ...options }) }
}

async function webShop() {
  const engine = await createTestEngine()
  await engine.given.project('web')
  const requests: Request[] = []
  const handler = createFetchHandler(engine)
  const fetch = (request: Request) => {
    requests.push(request)
    return handler(request)
  }
  return { engine, requests, ...createClient({ baseUrl, token: engine.admin, fetch }) }
}

describe('the types', () => {
  it('are those of engine.api', () => {
    expectTypeOf<ClientApi>().toExtend<Api>()
    expectTypeOf<ApiError>().toExtend<EngineError>()
    expectTypeOf<keyof ClientApi>().toEqualTypeOf<keyof Api>()
    expectTypeOf<Awaited<ReturnType<ClientApi['getTeam']>>>().toEqualTypeOf<Awaited<ReturnType<Api['getTeam']>>>()
  })
})

describe('a request', () => {
  it('has path parameters, query and body where they belong', async () => {
    const { api, requests } = recorded({ baseUrl: `${baseUrl}/features/?x=1#y`, headers: { 'x-gateway': 'on' } })
    await api.getBranch({ repo: 'a/b c', branch: 'ü', projKey: 'web', flagKey: undefined })
    await api.listProjects({ tags: 'a,b', limit: 5 })
    await api.createProject({ body: { key: 'web', name: 'Web' } })
    expect(requests.map(({ method, url }) => `${method} ${url.replace(/\?$/, '')}`)).toEqual([
      `GET ${baseUrl}/features/api/v2/code-refs/repositories/a%2Fb%20c/branches/%C3%BC?projKey=web`,
      `GET ${baseUrl}/features/api/v2/projects?tags=a%2Cb&limit=5`,
      `POST ${baseUrl}/features/api/v2/projects`,
    ])
    const [get, , post] = requests as [Request, Request, Request]
    expect(await get.text()).toBe('')
    expect(await post.json()).toEqual({ key: 'web', name: 'Web' })
    expect(Object.fromEntries(post.headers)).toEqual({
      authorization: 'api-1',
      'content-type': 'application/json',
      'svc-api-version': 'beta',
      'x-gateway': 'on',
    })
  })

  it('is signed with the token of the call, and bound to a revision', async () => {
    const { api, requests } = recorded()
    await api.deleteTeam({ teamKey: 'a' }, { as: 'api-2', ifMatch: '"3"' })
    await api.deleteTeam({ teamKey: 'a' }, { as: { token: 'api-3' } })
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['api-2', 'api-3'])
    expect(requests.map(({ headers }) => headers.get('if-match'))).toEqual(['"3"', null])
    await expect(api.listTeams({}, { as: { role: 'admin' } })).rejects.toThrow(TypeError)
    expect(requests).toHaveLength(2)
  })

  it('never leaves the path that is meant', async () => {
    const { api, requests } = recorded()
    const keys = ['..', '.', '', '/../..', '..\\..', '?x', '#x', undefined, 7] as string[]
    for (const teamKey of keys) await api.deleteTeam({ teamKey })
    for (const { url } of requests) expect(new URL(url).pathname).toMatch(/^\/api\/v2\/teams\/[^/]+$/)
  })

  it('wants an absolute address', () => {
    expect(() => createClient({ baseUrl: '/features' })).toThrow(TypeError)
  })
})

describe('a call', () => {
  it('resolves as in process, and rejects as in process', async () => {
    const { api, engine } = await webShop()
    const as = engine.admin
    expect(await api.getProject({ projectKey: 'web' })).toEqual(
      await engine.api.getProject({ projectKey: 'web' }, { as }),
    )
    expect(await api.deleteProject({ projectKey: 'web' })).toBeUndefined()
    const asked = [
      (one: Api) => one.getProject({ projectKey: 'web' }, { as }),
      (one: Api) => one.getProject({ projectKey: '..' }, { as }),
      (one: Api) => one.createProject({ body: { key: '/', name: '' } }, { as }),
      (one: Api) => one.listProjects({}, { as: 'api-nobody' }),
      (one: Api) => one.listProjects({ limit: 1000 }, { as }),
    ]
    for (const ask of asked) {
      const there = (await ask(engine.api).catch((error: EngineError) => error)) as EngineError
      const here = (await ask(api).catch((error: ApiError) => error)) as ApiError
      expect(here).toBeInstanceOf(ApiError)
      const told = ({ name, message, code, status, errors, body }: EngineError | ApiError) =>
        [name, message, code, status, errors, body] as const
      expect(told(here)).toEqual(told(there))
      expect(here.requestId).toMatch(/./)
      expect(Object.keys(here.body)).toEqual(Object.keys(there.body))
    }
  })

  it('tells a semantic patch by its shape, and a revision that is gone', async () => {
    const { api, engine } = await webShop()
    const flag = { projectKey: 'web', featureFlagKey: 'checkout' }
    await engine.given.flag('web', 'checkout')
    const on = { environmentKey: 'test', instructions: [{ kind: 'turnFlagOn' as const }] }
    expect((await api.patchFlag({ ...flag, body: on })).environments?.test?.on).toBe(true)
    const rename = api.patchFlag({ ...flag, body: [{ op: 'replace', path: '/name', value: 'x' }] }, { ifMatch: '"0"' })
    await expect(rename).rejects.toMatchObject({ code: 'optimistic_locking_error', status: 409 })
  })
})

describe('a file', () => {
  const segment = { projectKey: 'web', environmentKey: 'test', segmentKey: 'big' }

  async function bigSegment() {
    const shop = await webShop()
    await shop.engine.given.segment('web', 'test', 'big', { unbounded: true })
    return shop
  }

  async function* lines(count: number) {
    for (let i = 0; i < count; i++) yield i % 2 ? `user-${i}\n` : new TextEncoder().encode(`user-${i}\n`)
  }

  it('is sent as it comes, with its name and what is said about it, and comes back', async () => {
    const { api, requests } = await bigSegment()
    const made = await api.createBigSegmentImport({
      ...segment,
      body: { file: lines(2000), filename: 'ü "users".csv', mode: 'replace' },
    })
    const { searchParams } = new URL(requests.at(-1)?.url ?? '')
    expect(Object.fromEntries(searchParams)).toEqual({ filename: 'ü "users".csv', mode: 'replace' })
    expect(requests.at(-1)?.headers.get('content-type')).toBe('text/csv')
    expect(made).toMatchObject({ status: 'complete' })
    const { id } = await api.createBigSegmentExport(segment)
    let text = ''
    for await (const piece of await api.getBigSegmentExportFile({ ...segment, exportId: id as string })) text += piece
    expect(text.match(/user-\d+/g)).toHaveLength(2000)
  })

  it('that fails on its way fails the call', async () => {
    const { api } = await bigSegment()
    async function* broken() {
      yield 'user-1\n'
      throw new Error('the disk is gone')
    }
    await expect(api.createBigSegmentImport({ ...segment, body: { file: broken(), mode: 'merge' } })).rejects.toThrow()
  })

  it('that is no more wanted is cancelled, by the reader or by the signal', async () => {
    let cancelled = 0
    const fetch = async () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new TextEncoder().encode('a\n')),
          cancel: () => void cancelled++,
        }),
      )
    const { api } = createClient({ baseUrl, fetch })
    const controller = new AbortController()
    const input = { ...segment, exportId: 'x' }
    for await (const piece of await api.getBigSegmentExportFile(input)) {
      expect(piece).toBe('a\n')
      break
    }
    const pieces = await api.getBigSegmentExportFile(input, { signal: controller.signal })
    const reading = (async () => {
      for await (const _ of pieces) controller.abort(new Error('enough'))
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(cancelled).toBe(2)
  })
})
