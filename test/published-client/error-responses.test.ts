import { createEngine, type EngineInput } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import { LaunchDarkly } from '@launchdarkly/mcp-server'
import { HTTPClient } from '@launchdarkly/mcp-server/lib/http.js'
import * as errors from '@launchdarkly/mcp-server/models/errors'
import { describe, expect, it } from 'vitest'
import { publishedResponses } from './response-differences.ts'

const token = 'api-administrator-0001'
const limits = { windowMs: 60_000, account: 20, route: 10 }

/** Creates an engine with the project `web`, and functions that send requests to it. */
async function account(input: Partial<EngineInput> = {}) {
  const storage: Storage = input.storage ?? createMemoryStorage()
  const engine = createEngine({ bodyLimit: 10_000, wire: 'reference', ...input, storage })
  await engine.bootstrap({ token })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as: token })
  const handler = createFetchHandler(engine)
  return {
    storage,
    api: engine.api,
    send: (method: string, path: string, init: RequestInit = {}) =>
      handler(
        new Request(`http://localhost${path}`, {
          method,
          ...init,
          headers: { authorization: token, 'content-type': 'application/json', ...init.headers },
        }),
      ),
    client: (apiKey = token) =>
      new LaunchDarkly({
        apiKey,
        serverURL: 'http://localhost',
        httpClient: new HTTPClient({ fetcher: async (request) => handler(new Request(request)) }),
      }),
  }
}

/** Returns the error with which a call of a client must fail. */
async function errorOf(call: Promise<unknown>): Promise<errors.LaunchDarklyError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof errors.LaunchDarklyError)) throw new Error(`the call failed with ${error}`)
  return error
}

const flag = { projectKey: 'web', featureFlagKey: 'none' }
const body = { key: 'a', name: 'A' }

describe('the published MCP server recognizes', () => {
  it('an invalid request', async () => {
    const { client } = await account()
    const error = await errorOf(client().featureFlags.list({ projectKey: 'web', limit: -1 }))
    expect(error).toBeInstanceOf(errors.InvalidRequestErrorRep)
  })

  it('a token that is not valid', async () => {
    const { client } = await account()
    expect(await errorOf(client('none').featureFlags.get(flag))).toBeInstanceOf(errors.UnauthorizedErrorRep)
  })

  it('a call that the caller is not permitted to make', async () => {
    const { client, api } = await account()
    const inlineRole = [{ effect: 'allow', actions: ['viewProject'], resources: ['proj/other'] }] as const
    const { token: limited = '' } = await api.createToken({ body: { name: 'limited', inlineRole } }, { as: token })
    const error = await errorOf(client(limited).featureFlags.list({ projectKey: 'web' }))
    expect(error).toBeInstanceOf(errors.ForbiddenErrorRep)
  })

  it('a missing flag', async () => {
    const { client } = await account()
    expect(await errorOf(client().featureFlags.get(flag))).toBeInstanceOf(errors.NotFoundErrorRep)
  })

  it('a key that exists', async () => {
    const { client } = await account()
    const create = () => client().featureFlags.create({ projectKey: 'web', featureFlagBody: body })
    await create()
    expect(await errorOf(create())).toBeInstanceOf(errors.StatusConflictErrorRep)
  })

  it('too many requests', async () => {
    const { client } = await account({ rateLimit: { ...limits, route: 2 } })
    const list = () => client().featureFlags.list({ projectKey: 'web' })
    await list()
    await list()
    const error = await errorOf(list())
    expect(error).toBeInstanceOf(errors.RateLimitedErrorRep)
    expect(error.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it('an account without a reachable storage, by the status, code and message', async () => {
    const { client, storage } = await account()
    await storage.close()
    const error = await errorOf(client().featureFlags.get(flag))
    expect([error.statusCode, JSON.parse(error.body)]).toEqual([
      503,
      { code: 'service_unavailable', message: 'Requested service unavailable' },
    ])
  })
})

describe('an error response', () => {
  const path = '/api/v2/flags/web'
  it.each<[number, string, string, RequestInit]>([
    [405, 'PUT', path, { body: '{}' }],
    [413, 'POST', path, { body: JSON.stringify({ ...body, description: 'x'.repeat(20_000) }) }],
    [415, 'POST', path, { body: 'key=a', headers: { 'content-type': 'text/plain' } }],
  ])('with the status %d has the type of the published client', async (status, method, url, init) => {
    const response = await (await account()).send(method, url, init)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(publishedResponses.differencesOfError(status, await response.json())).toEqual([])
  })

  it('never has the status 422: a patch that cannot be applied is an invalid request', async () => {
    const { send } = await account()
    const patch = [{ op: 'replace', path: '/nothing', value: 1 }]
    const response = await send('PATCH', '/api/v2/projects/web', { body: JSON.stringify(patch) })
    expect(response.status).toBe(400)
    expect(publishedResponses.differencesOfError(400, await response.json())).toEqual([])
  })

  it.each([429, 503])('with the status %d has the type of the published client', async (status) => {
    const { send, storage } = await account({ rateLimit: { ...limits, route: 1 } })
    expect((await send('GET', path)).status).toBe(200)
    if (status === 503) await storage.close()
    const response = await send('GET', status === 503 ? '/api/v2/projects' : path)
    expect(response.status).toBe(status)
    expect(publishedResponses.differencesOfError(status, await response.json())).toEqual([])
  })
})

describe('the headers of the rate limit that the reference API documents', () => {
  it('are in every response: the remaining requests of the account and of the route, and the end of the window', async () => {
    const now = 1_800_000_000_000
    const { send } = await account({ rateLimit: limits, clock: () => now })
    for (const used of [1, 2]) {
      const { headers } = await send('GET', '/api/v2/flags/web')
      const numbers = ['x-ratelimit-global-remaining', 'x-ratelimit-route-remaining'].map((name) => headers.get(name))
      expect(numbers).toEqual([String(limits.account - used), String(limits.route - used)])
      const reset = Number(headers.get('x-ratelimit-reset'))
      expect(reset).toBeGreaterThan(now)
      expect(reset).toBeLessThanOrEqual(now + limits.windowMs)
      expect(headers.get('retry-after')).toBeNull()
    }
  })

  it('also are in the response that refuses a request, with the time to wait in seconds', async () => {
    const now = 1_800_000_000_000
    const { send } = await account({ rateLimit: { ...limits, route: 1 }, clock: () => now })
    await send('GET', '/api/v2/flags/web')
    const { status, headers } = await send('GET', '/api/v2/flags/web')
    const reset = Number(headers.get('x-ratelimit-reset'))
    expect([status, headers.get('x-ratelimit-route-remaining')]).toEqual([429, '0'])
    expect(Number(headers.get('retry-after'))).toBe(Math.ceil((reset - now) / 1_000))
  })
})
