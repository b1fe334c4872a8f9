import type { Api, ApiError as EngineError } from '@halyard/core'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { ApiError, type ClientApi, type ClientOptions, createClient } from './index.ts'

const baseUrl = 'https://flags.example.test'

/** Creates a client that records its requests; each response is an empty object. */
function recordingClient(options: Partial<ClientOptions> = {}) {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    requests.push(request)
    return Response.json({})
  }
  return { requests, ...createClient({ baseUrl, token: 'api-1', fetch, ...options }) }
}

/** Creates a client of an engine with the project `web`. */
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

describe('the types of the client', () => {
  it('equal the types of `engine.api`', () => {
    expectTypeOf<ClientApi>().toExtend<Api>()
    expectTypeOf<ApiError>().toExtend<EngineError>()
    expectTypeOf<keyof ClientApi>().toEqualTypeOf<keyof Api>()
    expectTypeOf<Awaited<ReturnType<ClientApi['getTeam']>>>().toEqualTypeOf<Awaited<ReturnType<Api['getTeam']>>>()
  })
})

describe('a request', () => {
  it('has the path parameters, the query and the body of the input', async () => {
    const { api, requests } = recordingClient({ baseUrl: `${baseUrl}/features/?x=1#y`, headers: { 'x-gateway': 'on' } })
    await api.getBranch({ repo: 'a/b c', branch: 'ü', projKey: 'web', flagKey: undefined })
    await api.listProjects({ tags: 'a,b', limit: 5 })
    await api.createProject({ body: { key: 'web', name: 'Web' }, dryRun: true })
    expect(requests.map(({ method, url }) => `${method} ${url.replace(/\?$/, '')}`)).toEqual([
      `GET ${baseUrl}/features/api/v2/code-refs/repositories/a%2Fb%20c/branches/%C3%BC?projKey=web`,
      `GET ${baseUrl}/features/api/v2/projects?tags=a%2Cb&limit=5`,
      `POST ${baseUrl}/features/api/v2/projects?dryRun=true`,
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

  it('has the token and the ETag of the call', async () => {
    const { api, requests } = recordingClient()
    await api.deleteTeam({ teamKey: 'a' }, { as: 'api-2', ifMatch: '"3"' })
    await api.deleteTeam({ teamKey: 'a' }, { as: { token: 'api-3' } })
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['api-2', 'api-3'])
    expect(requests.map(({ headers }) => headers.get('if-match'))).toEqual(['"3"', null])
    await expect(api.listTeams({}, { as: { role: 'admin' } })).rejects.toThrow(TypeError)
    expect(requests).toHaveLength(2)
  })

  it('keeps its path when a path parameter is empty, has dots or is not a string', async () => {
    const { api, requests } = recordingClient()
    const keys = ['..', '.', '', '/../..', '..\\..', '?x', '#x', undefined, 7] as string[]
    for (const teamKey of keys) await api.deleteTeam({ teamKey })
    for (const { url } of requests) expect(new URL(url).pathname).toMatch(/^\/api\/v2\/teams\/[^/]+$/)
  })

  it('requires an absolute `baseUrl`', () => {
    expect(() => createClient({ baseUrl: '/features' })).toThrow(TypeError)
  })
})

describe('a call', () => {
  it('resolves and rejects like the same call of `engine.api`', async () => {
    const { api, engine } = await webShop()
    const as = engine.admin
    expect(await api.getProject({ projectKey: 'web' })).toEqual(
      await engine.api.getProject({ projectKey: 'web' }, { as }),
    )
    expect(await api.deleteProject({ projectKey: 'web' })).toBeUndefined()
    const calls = [
      (target: Api) => target.getProject({ projectKey: 'web' }, { as }),
      (target: Api) => target.getProject({ projectKey: '..' }, { as }),
      (target: Api) => target.createProject({ body: { key: '/', name: '' } }, { as }),
      (target: Api) => target.listProjects({}, { as: 'api-nobody' }),
      (target: Api) => target.listProjects({ limit: 1000 }, { as }),
    ]
    for (const call of calls) {
      const expected = (await call(engine.api).catch((error: EngineError) => error)) as EngineError
      const actual = (await call(api).catch((error: ApiError) => error)) as ApiError
      expect(actual).toBeInstanceOf(ApiError)
      const properties = ({ name, message, code, status, errors, body }: EngineError | ApiError) =>
        [name, message, code, status, errors, body] as const
      expect(properties(actual)).toEqual(properties(expected))
      expect(actual.requestId).toMatch(/./)
      expect(Object.keys(actual.body)).toEqual(Object.keys(expected.body))
    }
  })

  it('with `dryRun` resolves as the call would and changes nothing', async () => {
    const { api } = await webShop()
    const { name } = await api.createProject({ body: { key: 'next', name: 'Next' }, dryRun: true })
    expect(name).toBe('Next')
    await expect(api.getProject({ projectKey: 'next' })).rejects.toMatchObject({ status: 404 })
    // @ts-expect-error misspelled
    await expect(api.deleteProject({ projectKey: 'web', drRun: true })).rejects.toMatchObject({ status: 400 })
  })

  it('sends a semantic patch, and rejects when the ETag does not match', async () => {
    const { api, engine } = await webShop()
    const flag = { projectKey: 'web', flagKey: 'checkout' }
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

  it('is uploaded as a stream with its fields, and downloaded as chunks of text', async () => {
    const { api, requests } = await bigSegment()
    const created = await api.createBigSegmentImport({
      ...segment,
      body: { file: lines(2000), filename: 'ü "users".csv', mode: 'replace' },
    })
    const { searchParams } = new URL(requests.at(-1)?.url ?? '')
    expect(Object.fromEntries(searchParams)).toEqual({ filename: 'ü "users".csv', mode: 'replace' })
    expect(requests.at(-1)?.headers.get('content-type')).toBe('text/csv')
    expect(created).toMatchObject({ status: 'complete' })
    const { id } = await api.createBigSegmentExport(segment)
    let text = ''
    for await (const chunk of await api.getBigSegmentExportFile({ ...segment, exportId: id as string })) text += chunk
    expect(text.match(/user-\d+/g)).toHaveLength(2000)
  })

  it('rejects the call when its stream fails', async () => {
    const { api } = await bigSegment()
    async function* broken() {
      yield 'user-1\n'
      throw new Error('disk failure')
    }
    await expect(api.createBigSegmentImport({ ...segment, body: { file: broken(), mode: 'merge' } })).rejects.toThrow()
  })

  it('is cancelled when the caller stops iterating or aborts', async () => {
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
    for await (const chunk of await api.getBigSegmentExportFile(input)) {
      expect(chunk).toBe('a\n')
      break
    }
    const chunks = await api.getBigSegmentExportFile(input, { signal: controller.signal })
    const reading = (async () => {
      for await (const _ of chunks) controller.abort(new Error('not needed'))
    })()
    await expect(reading).rejects.toThrow('not needed')
    expect(cancelled).toBe(2)
  })
})
