import { type ApiError, createEngine, type Engine, type ErrorBody } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createFetchHandler } from '@halyard/transport-fetch'
import { describe, expect, it } from 'vitest'
import { everyStorage } from './setup/every-storage.ts'
import { longTests } from './setup/long-tests.ts'

const storages = everyStorage()

/** Number of requests that change a flag at the same time. */
const requestCount = longTests ? 500 : 100

const as = { role: 'admin' } as const
const addTag = (value: string) => ({ op: 'add', path: '/tags/-', value }) as const

async function engineWithProject(open: () => Promise<Storage>): Promise<Engine> {
  const engine = createEngine({ storage: await open() })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  return engine
}

const flagPath = '/api/v2/flags/web/f'

/** Returns a function that sends requests over HTTP to an engine with the project `web` and the flag `f`. */
async function flagOverHttp(open: () => Promise<Storage>) {
  const engine = await engineWithProject(open)
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, { as })
  const authorization = 'api-concurrent-changes-0123456789'
  await engine.bootstrap({ token: authorization })
  const handle = createFetchHandler(engine)
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const request = new Request(`http://localhost${path}`, { method, headers, body: JSON.stringify(body) ?? null })
    const response = await handle(request)
    return { status: response.status, body: (await response.json()) as FlagBody & ErrorBody }
  }
  return { engine, send, patch: (...patch: readonly object[]) => send('PATCH', flagPath, patch) }
}

const patchFlag = (
  engine: Engine,
  ...body: readonly { readonly op: 'add' | 'replace'; readonly path: string; readonly value: string }[]
) => engine.api.patchFlag({ projectKey: 'web', flagKey: 'f', body }, { as })

interface FlagBody {
  readonly tags: readonly string[]
  readonly environments: Readonly<Record<string, { readonly on: boolean }>>
}

const statusesOf = (responses: readonly { readonly status: number }[]) =>
  Object.fromEntries(
    [...new Set(responses.map(({ status }) => status))].map((status) => [
      status,
      responses.filter((response) => response.status === status).length,
    ]),
  )

describe.each(Object.entries(storages))('concurrent changes on %s', (_, open) => {
  it('all tags that many requests add to a flag concurrently are stored, without a retry', async () => {
    const { send, patch } = await flagOverHttp(open)
    const tags = Array.from({ length: requestCount }, (_, i) => `tag-${i}`)
    const responses = await Promise.all(tags.map((value) => patch({ op: 'add', path: '/tags/-', value })))
    expect(statusesOf(responses)).toEqual({ 200: requestCount })
    expect([...(await send('GET', flagPath)).body.tags].sort()).toEqual([...tags].sort())
  }, 180_000)

  it('changes of eight environments of one flag at the same time are all made', async () => {
    const { engine, send, patch } = await flagOverHttp(open)
    const keys = Array.from({ length: 8 }, (_, i) => `e${i}`)
    for (const key of keys) {
      await engine.api.createEnvironment({ projectKey: 'web', body: { key, name: key, color: '000000' } }, { as })
    }
    const responses = await Promise.all(
      keys.map((key) => patch({ op: 'replace', path: `/environments/${key}/on`, value: true })),
    )
    expect(statusesOf(responses)).toEqual({ 200: 8 })
    const { environments } = (await send('GET', flagPath)).body
    expect(keys.filter((key) => environments[key]?.on)).toEqual(keys)
  })

  it('of two replacements of one part by different values, one gets 409 with the values of that part', async () => {
    const { engine } = await flagOverHttp(open)
    const outcomes = await Promise.allSettled(
      ['one', 'two'].map((value) => patchFlag(engine, { op: 'replace' as const, path: '/name', value }, addTag(value))),
    )
    const rejections = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    const { name, tags } = await engine.api.getFlag({ projectKey: 'web', flagKey: 'f' }, { as })
    expect(tags).toEqual([name])
    const yours = name === 'one' ? 'two' : 'one'
    expect(rejections.map(({ body }: ApiError) => body)).toEqual([
      {
        code: 'optimistic_locking_error',
        message: 'Conflict. Optimistic lock error. Try again later.',
        conflicts: [{ path: '/name', base: 'F', yours, theirs: name }],
      },
    ])
  })

  it('two replacements of one part by the same value are both made', async () => {
    const { engine } = await flagOverHttp(open)
    await Promise.all(
      ['a', 'b'].map((tag) => patchFlag(engine, { op: 'replace', path: '/name', value: 'Same' }, addTag(tag))),
    )
    const { name, tags } = await engine.api.getFlag({ projectKey: 'web', flagKey: 'f' }, { as })
    expect([name, [...tags].sort()]).toEqual(['Same', ['a', 'b']])
  })

  it('of two concurrent patches with the same If-Match, one succeeds and the other gets optimistic_locking_error', async () => {
    const engine = await engineWithProject(open)
    // Both callers send the version that they read before either writes.
    const ifMatch = '"1"'
    const outcomes = await Promise.allSettled(
      ['one', 'two'].map((tag) =>
        engine.api.patchProject(
          { projectKey: 'web', body: [{ op: 'add', path: '/tags/-', value: tag }] },
          { as, ifMatch },
        ),
      ),
    )
    const fulfilled = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    const rejections = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(fulfilled).toHaveLength(1)
    expect(rejections).toMatchObject([{ code: 'optimistic_locking_error', status: 409 }])
    expect((await engine.api.getProject({ projectKey: 'web' }, { as })).tags).toHaveLength(1)
  })

  it('an environment is never created in a project that is deleted concurrently', async () => {
    const engine = await engineWithProject(open)
    const body = { key: 'late', name: 'Late', color: '000000' }
    const [creation] = await Promise.allSettled([
      engine.api.createEnvironment({ projectKey: 'web', body }, { as }),
      engine.api.deleteProject({ projectKey: 'web' }, { as }),
    ])
    const project = await engine.api.getProject({ projectKey: 'web' }, { as }).catch((error: ApiError) => error.code)
    const environment = engine.api.getEnvironment({ projectKey: 'web', environmentKey: 'late' }, { as })
    const environmentExists = await environment.then(
      () => true,
      () => false,
    )
    // Whichever request was first, no environment exists without its project.
    if (project === 'not_found') expect(environmentExists).toBe(false)
    else expect(environmentExists).toBe(creation.status === 'fulfilled')
  })
})
