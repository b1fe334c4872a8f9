import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ConsoleMountOptions, createConsole } from '../index.ts'

const token = 'an-administrator-of-the-console'
const consoleHeaders = { 'x-requested-with': 'halyard-console' }
const identify = () => ({ service: 'ann', role: 'owner' }) as const

async function open(options: ConsoleMountOptions = {}) {
  const engine = createEngine({ storage: createMemoryStorage(), rateLimit: false })
  await engine.bootstrap({ token })
  await engine.as(token).createProject({ body: { key: 'web', name: 'Web' } })
  onTestFinished(() => engine.close())
  return { engine, app: createConsole(engine, options) }
}

/** Sends a request to a console over fetch. */
function send(app: { fetch(request: Request): Promise<Response> }, path: string, init: RequestInit = {}) {
  return app.fetch(new Request(`https://flags.example.com${path}`, init))
}

function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

async function listen(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Expects that the page, its script and the API work at an address. */
async function expectConsole(read: (path: string, init?: RequestInit) => Promise<Response>, mount: string) {
  const page = await read(`${mount}/web/production/features`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const html = await page.text()
  expect(html).toContain(`<meta name="halyard-base" content="${mount}">`)
  const script = /<script type="module" src="([^"]+)">/.exec(html)?.[1] ?? ''
  expect(script).toMatch(new RegExp(`^${mount}/-/assets/app-`))
  const loaded = await read(script)
  expect([loaded.status, loaded.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  const projects = await read(`${mount}/api/v2/projects`, { headers: { authorization: token } })
  expect((await projects.json()).items.map(({ key }: { key: string }) => key)).toEqual(['web'])
}

describe('the console can be mounted', () => {
  it('in a fetch handler, at the root and under a path', async () => {
    const root = await open()
    await expectConsole((path, init) => send(root.app, path, init), '')
    const below = await open({ basePath: '/features' })
    await expectConsole((path, init) => send(below.app, path, init), '/features')
    for (const path of ['/features', '/features/', '/features?a=b']) {
      const page = await send(below.app, path)
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('content="/features"')])
    }
    expect((await send(below.app, '/elsewhere')).status).toBe(404)
  })

  it('in Express, beside routes of the host and under any path', async () => {
    const { app } = await open()
    const origin = await listen(
      express()
        .use('/tools/flags', app.express)
        .use((_: unknown, res: { end(text: string): void }) => res.end('the shop')),
    )
    await expectConsole((path, init) => fetch(`${origin}${path}`, init), '/tools/flags')
    expect(await (await fetch(`${origin}/tools/flags/other`)).text()).toBe('the shop')
  })

  it('in Hono', async () => {
    const { app } = await open({ basePath: '/flags' })
    const host = new Hono().all('/flags/*', (c) => app.fetch(c.req.raw)).get('*', (c) => c.text('the shop'))
    await expectConsole(async (path, init) => host.request(`https://shop.example.com${path}`, init), '/flags')
    expect(await (await host.request('/')).text()).toBe('the shop')
  })

  it('so that the `_site` links of the API lead to its pages', async () => {
    const { app, engine } = await open()
    await engine.as(token).createFlag({ projectKey: 'web', body: { key: 'odd.key_1', name: 'Odd' } })
    const headers = { authorization: token }
    const { environments } = await (await send(app, '/api/v2/flags/web/odd.key_1', { headers })).json()
    const { href } = environments.production._site
    expect(href).toBe('/web/production/features/odd.key_1')
    const page = await send(app, href)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })
})

describe('the person at the console', () => {
  it('is the member that the host names, with the rights of that member', async () => {
    const { app } = await open({ identify: () => ({ service: 'reader@shop', role: 'reader' }) })
    const session = await (await send(app, '/-/session', { headers: consoleHeaders })).json()
    expect(session).toEqual({ signedIn: true, inSession: false, name: 'reader@shop' })
    const queries = [
      { action: 'viewProject', resource: 'proj/web' },
      { action: 'updateOn', resource: 'proj/web:env/production:flag/f' },
    ]
    const { items } = await (await send(app, '/-/rights', post({ queries }, consoleHeaders))).json()
    expect(items.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual([true, false])
    expect(items[1].text).toContain('no role allows `updateOn`')
  })

  it('gets responses to valid queries about rights even when other queries are invalid', async () => {
    const { app } = await open({ identify: () => ({ service: 'reader@shop', role: 'reader' }) })
    const resource = 'proj/web'
    const queries = [{ action: 'viewProjects', resource }, { action: 'viewProject', resource }, null]
    const response = await send(app, '/-/rights', post({ queries }, consoleHeaders))
    expect(response.status).toBe(200)
    const { items } = (await response.json()) as { items: readonly { allowed: boolean; text: string }[] }
    expect(items.map(({ allowed }) => allowed)).toEqual([false, true, false])
    expect(items[0]?.text).toContain('must be an action of the kind proj')
  })

  it('is the owner of the access token when the host names no person, and unknown without a token', async () => {
    const { app } = await open()
    const session = async (headers: Record<string, string>) => (await send(app, '/-/session', { headers })).json()
    expect(await session(consoleHeaders)).toEqual({ signedIn: false, inSession: false })
    expect(await session({ ...consoleHeaders, authorization: token })).toEqual({ signedIn: true, inSession: false })
    expect(await session({ ...consoleHeaders, authorization: 'another-token' })).toEqual({
      signedIn: false,
      inSession: false,
    })
  })

  it('is signed in by a link that works once, and can sign out', async () => {
    const { app } = await open()
    const code = app.createSignInPath({ service: 'ann', role: 'writer' }).replace('/#sign-in=', '')
    const signedIn = await send(app, '/-/sign-in', post({ code }, consoleHeaders))
    const cookie = signedIn.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^halyard-console=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/)
    const headers = { ...consoleHeaders, cookie: cookie.split(';')[0] as string }
    expect(await (await send(app, '/-/session', { headers })).json()).toMatchObject({ signedIn: true, name: 'ann' })
    expect((await send(app, '/-/sign-in', post({ code }, consoleHeaders))).status).toBe(400)
    await send(app, '/-/sign-out', post({}, headers))
    expect(await (await send(app, '/-/session', { headers })).json()).toMatchObject({ signedIn: false })
  })
})

describe('the recorded origin of a request', () => {
  const clientAddress = () => '203.0.113.7'
  const originOf = async (options: ConsoleMountOptions, headers: Record<string, string> = {}) => {
    const { app } = await open(options)
    const response = await send(app, '/-/origin', { headers: { ...consoleHeaders, ...headers } })
    return [response.status, await response.json()]
  }

  it('is a session of the host or an access token, with the address that the host provides', async () => {
    const address = '203.0.113.7'
    expect(await originOf({ identify, clientAddress })).toEqual([200, { credential: 'session', address }])
    expect(await originOf({ identify: () => ({ ...identify(), session: false }), clientAddress })).toEqual([
      200,
      { credential: 'apiToken', address },
    ])
    expect(await originOf({ clientAddress }, { authorization: token })).toEqual([
      200,
      { credential: 'apiToken', address },
    ])
  })

  it('has no address when the host provides none', async () => {
    expect(await originOf({ identify })).toEqual([200, { credential: 'session' }])
  })

  it('is refused with 401 for an unknown token', async () => {
    expect((await originOf({ clientAddress }, { authorization: 'api-unknown-token-0001' }))[0]).toBe(401)
  })
})

describe('the console refuses', () => {
  it.each([
    ['a form of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a form of another site in an old browser', {}],
    ['a page of a sister site', { 'sec-fetch-site': 'same-site' }],
  ])('%s that changes something', async (_, headers: Record<string, string>) => {
    const { app } = await open({ identify })
    const response = await send(app, '/api/v2/projects', post({ key: 'x', name: 'X' }, headers))
    expect(response.status).toBe(403)
  })

  it.each(['session', 'rights', 'simulation', 'explanation', 'evaluations', 'changes', 'sign-in', 'sign-out'])(
    'a request from another site to /-/%s',
    async (name) => {
      const { app } = await open({ identify })
      const path = `/-/${name}`
      for (const init of [{}, post({ queries: [] })]) expect((await send(app, path, init)).status).toBe(403)
      const preflight = {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-requested-with' },
      }
      expect((await send(app, path, preflight)).headers.get('access-control-allow-origin')).toBe(null)
    },
  )

  it.each(['/-/rights', '/-/simulation', '/-/explanation', '/-/evaluations', '/-/changes', '/-/origin'])(
    'a request to %s without a caller',
    async (path) => {
      const { app } = await open()
      const init = ['/-/changes', '/-/origin'].includes(path) ? { headers: consoleHeaders } : post({}, consoleHeaders)
      expect((await send(app, path, init)).status).toBe(401)
    },
  )

  it('to be framed, to run inline code, and to load resources of other hosts', async () => {
    const { app } = await open()
    const page = await send(app, '/')
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const directive of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"])
      expect(policy).toContain(directive)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
    const html = await page.text()
    expect(html).not.toMatch(/https?:\/\/|<style|style=|\son\w+=|javascript:|<script>/)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('to run code that is in the mount path', async () => {
    const { app } = await open()
    const request = { method: 'GET', url: '/', baseUrl: '/"><script>alert(1)</script>', headers: {} }
    const html = await new Promise<string>((resolve) => {
      const response = { writeHead: () => response, end: resolve, destroyed: false, headersSent: false }
      // Cast: the handler uses these properties of a request and of a response only.
      app.express(request as never, response as never)
    })
    expect(html).toContain('content="/&#34;&#62;&#60;script')
    expect(html).not.toContain('<script>alert')
  })

  it('to redirect to other hosts', async () => {
    const { app } = await open({ basePath: '/features' })
    for (const path of ['/features//evil.example', '/features/%2F%2Fevil.example/', '//evil.example/features'])
      expect((await send(app, path)).headers.get('location'), path).toBe(null)
  })

  it.each(['__proto__', 'constructor', 'toString'])(
    '%s in a path as the name of a file or a function',
    async (name) => {
      const { app } = await open()
      const headers = { ...consoleHeaders, authorization: token }
      for (const path of [`/-/assets/${name}`, `/-/${name}`, name])
        expect((await send(app, path.startsWith('/') ? path : `/-/assets/../${path}`, { headers })).status).toBe(404)
    },
  )

  it('to change the prototype of objects by a property __proto__ in JSON', async () => {
    const { app } = await open({ identify })
    const body =
      '{"projectKey":"web","environmentKey":"production","context":{"kind":"user","key":"a","__proto__":{"admin":true}}}'
    const init = { method: 'POST', headers: { ...consoleHeaders, 'content-type': 'application/json' }, body }
    expect((await send(app, '/-/explanation', init)).status).toBe(200)
    expect(({} as { admin?: boolean }).admin).toBe(undefined)
  })

  it('to show the evaluations and changes of a project that the caller may not view', async () => {
    const { app } = await open({ identify: () => ({ service: 'bob' }) })
    const input = { projectKey: 'web', environmentKey: 'production', context: { kind: 'user', key: 'a' } }
    expect((await send(app, '/-/explanation', post(input, consoleHeaders))).status).toBe(403)
    const stream = await send(app, '/-/changes?project=web&environment=production', { headers: consoleHeaders })
    expect(stream.status).toBe(403)
    const counts = await send(app, '/-/evaluations', post({ ...input, flagKeys: ['f'] }, consoleHeaders))
    expect(await counts.json()).toEqual({ items: [] })
  })

  it('a simulation by a caller who lacks the right to make the change', async () => {
    const { app, engine } = await open({ identify: () => ({ service: 'bob', role: 'reader' }) })
    await engine.as(token).createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } })
    const change = {
      projectKey: 'web',
      environmentKey: 'production',
      flagKey: 'f',
      instructions: [{ kind: 'turnFlagOn' }],
    }
    expect((await send(app, '/-/simulation', post(change, consoleHeaders))).status).toBe(403)
  })
})

it('the console counts flag evaluations of the last week in intervals of six hours', async () => {
  const { app, engine } = await open()
  const api = engine.as(token)
  const environment = { projectKey: 'web', environmentKey: 'production' }
  for (const key of ['f', 'g']) await api.createFlag({ projectKey: 'web', body: { key, name: key } })
  const { apiKey } = await api.getEnvironment(environment)
  const hour = 3_600_000
  const summary = (endDate: number, count: number) => ({
    kind: 'summary',
    endDate,
    features: { f: { counters: [{ variation: 0, version: 1, count }] } },
  })
  const now = Date.now()
  const report = [summary(now, 5), summary(now - 7 * hour, 3), summary(now - 20 * hour, 2)]
  await engine.sdk.handle({
    method: 'POST',
    path: '/bulk',
    query: '',
    header: (name) => (name === 'authorization' ? apiKey : undefined),
    body: { kind: 'parsed', value: report },
  })
  await engine.sdk.flush()
  const body = { ...environment, flagKeys: ['f', 'g'] }
  const response = await send(app, '/-/evaluations', post(body, { ...consoleHeaders, authorization: token }))
  const { items } = await response.json()
  expect(items.map(({ key }: { key: string }) => key)).toEqual(['f', 'g'])
  expect(items[1].counts).toEqual(Array(28).fill(0))
  const quarters = (time: number) => Math.floor(time / (6 * hour))
  const expected = Array<number>(28).fill(0)
  for (const { endDate, features } of report) {
    // Counts are stored by hour, which is in the same quarter.
    const index = 27 - (quarters(now) - quarters(endDate))
    expected[index] = (expected[index] ?? 0) + (features.f.counters[0]?.count ?? 0)
  }
  expect(items[0].counts).toEqual(expected)
  const tooMany = { ...environment, flagKeys: Array(101).fill('f') }
  expect((await send(app, '/-/evaluations', post(tooMany, { ...consoleHeaders, authorization: token }))).status).toBe(
    400,
  )
})

it('the server of the console streams the keys of changed flags to the browser', async () => {
  const { app, engine } = await open()
  const api = engine.as(token)
  await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } })
  const headers = { ...consoleHeaders, authorization: token }
  const response = await send(app, '/-/changes?project=web&environment=production', { headers })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe(': connected\n\n')
  const next = reader?.read()
  await api.patchFlag({
    projectKey: 'web',
    flagKey: 'f',
    body: [{ op: 'replace', path: '/environments/production/on', value: true }],
  })
  expect((await next)?.value).toBe('event: flags\ndata: ["f"]\n\n')
  await reader?.cancel()
})
