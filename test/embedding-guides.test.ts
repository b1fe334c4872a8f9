import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine, type Engine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
// @ts-expect-error express 4 ships no declarations either
import express4 from 'express4'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { printedLines } from './printed-lines.ts'
import { pgliteTemplate } from './setup/pglite-template.ts'
import { uniqueSchema } from './setup/postgres-storages.ts'
import { testPostgres } from './setup/test-postgres.ts'
import { root } from './source-imports.ts'

const textsOf = (guide: string) =>
  [...readFileSync(path.join(root, 'docs/guide', guide), 'utf8').matchAll(/^```text\n(.*?)\n```/gms)].map(
    ([, text]) => text,
  )

it('the telemetry example prints the spans of its call', async () => {
  const lines = await printedLines(() => import('../docs/examples/telemetry/telemetry.ts'))
  expect(lines.at(-1)).toBe("createProject { 'halyard.operation': 'createProject' }")
  const commits = lines.filter((line) => line.startsWith('storage commit {'))
  // One commit creates the project, and the other commit records the use of the token.
  expect(commits).toHaveLength(2)
  for (const commit of commits) expect(commit).toContain("'halyard.storage.outcome': 'committed'")
})

it('the embedding examples print the output that the guide shows', async () => {
  const lines = await printedLines(() => import('../docs/examples/embedding/embedding.ts'))
  const [validationErrors] = textsOf('embedding.md')
  expect(lines).toEqual([
    'boolean 2 variations',
    '[ true, false ]',
    'Web shop',
    'forbidden',
    '1',
    validationErrors,
    "Checkout, one page [ 'payments' ] true",
    '3',
    '/name Pay Buy',
    'checkout',
    'true',
    'debug request-refused no role allows `deleteProject`',
  ])
})

it('the examples of hooks print the output that the guide shows', async () => {
  const lines = await printedLines(() => import('../docs/examples/hooks/hooks.ts'))
  expect(`${lines.join('\n')}`).toBe(textsOf('hooks.md')[0])
})

it('the example of rows of a hook writes them with the change', async () => {
  const lines = await printedLines(() => import('../docs/examples/hooks/rows.ts'))
  expect(lines).toEqual(['created the project Web shop'])
})

it('the example of branches prints the output that the guide shows', async () => {
  const lines = await printedLines(() => import('../docs/examples/branches/branches.ts'))
  expect(`${lines.join('\n')}`).toBe(textsOf('branches.md')[0])
})

it('the example of following changes prints the output that the guide shows', async () => {
  const lines = await printedLines(() => import('../docs/examples/changes/follow.ts'))
  expect(`${lines.join('\n')}`).toBe(textsOf('changes.md')[0])
})

it('the examples of the past print the output that the guide shows', async () => {
  const lines = await printedLines(() => import('../docs/examples/past/past.ts'))
  const [read, entry, evaluation, refused] = textsOf('past.md')
  expect(lines.join('\n')).toBe([read, evaluation, entry, refused].join('\n'))
})

it('the fetch examples respond as the guide says', async () => {
  const lines = await printedLines(() => import('../docs/examples/fetch/fetch.ts'))
  // The last request has a storage of its own, which contains no account, so every token is unknown.
  expect(lines).toEqual(['201 Web shop', '200 304', 'the shop 200', '200', '403', '401'])
})

it('the console is served at every mount of its guide', async () => {
  const lines = await printedLines(() => import('../docs/examples/console/console.ts'))
  const page = '200 text/html; charset=utf-8'
  expect(lines).toEqual(['https://shop.example.com/flags/#sign-in=…', page, page, page, '200'])
})

it('the tokens of the security guide are refused with the explanation that the guide shows', async () => {
  vi.stubEnv('HALYARD_TOKEN', 'administrator-token-1')
  const lines = await printedLines(() => import('../docs/examples/access/tokens.ts'))
  const [explanation] = textsOf('security.md')
  expect(lines).toEqual(['true 4', '403 forbidden', explanation, '401 unauthorized', '401 unauthorized', '2 true'])
  vi.unstubAllEnvs()
})

it('the examples of the guide to people invite a member, and name callers by a session', async () => {
  expect(await printedLines(() => import('../docs/examples/people/invitation.ts'))).toEqual([
    'true true',
    'bea@example.com',
  ])
  expect(await printedLines(() => import('../docs/examples/people/identify.ts'))).toEqual(textsOf('people.md'))
})

it('the example of the guide to OAuth clients gets a token without a member', async () => {
  const lines = await printedLines(() => import('../docs/examples/oauth/client-credentials.ts'))
  expect(lines).toEqual(textsOf('oauth-clients.md'))
})

it('the example of the import guide imports a project unchanged', async () => {
  const lines = await printedLines(() => import('../docs/examples/moving/move.ts'))
  expect(lines).toEqual(['2 flags', 'true 1'])
})

it('the first example of the client guide reaches a service', async () => {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.bootstrap({ token: 'administrator-token-1' })
  const as = 'administrator-token-1'
  await engine.api.createTeam({ body: { key: 'growth', name: 'Growth' } }, { as })
  const handler = createFetchHandler(engine)
  vi.stubGlobal('fetch', (...request: ConstructorParameters<typeof Request>) => handler(new Request(...request)))
  vi.stubEnv('HALYARD_TOKEN', as)
  expect(await printedLines(() => import('../docs/examples/client/short.ts'))).toEqual(['Growth'])
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

describe('first examples of packages', () => {
  // The timers that an example starts run as long as its process; fake timers keep them from firing here.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
  afterEach(() => void vi.useRealTimers())

  it.each([
    ['core', () => import('../docs/examples/packages/core.ts'), ['1']],
    ['core of chosen operations', () => import('../docs/examples/packages/core-of.ts'), ['true false']],
    ['opentelemetry', () => import('../docs/examples/packages/opentelemetry.ts'), ['true']],
    ['storage-memory', () => import('../docs/examples/packages/storage-memory.ts'), []],
    ['testing', () => import('../docs/examples/packages/testing.ts'), ['web']],
    ['conformance', () => import('../docs/examples/packages/conformance.ts'), ['true']],
    [
      'import',
      () => import('../docs/examples/packages/import.ts'),
      [expect.stringContaining('1 flag without losses'), '1'],
    ],
    ['openfeature', () => import('../docs/examples/packages/openfeature.ts'), ['false']],
    [
      'data-export',
      () => import('../docs/examples/packages/data-export.ts'),
      ['{ delivered: 0, failed: 0, more: false }'],
    ],
    [
      'webhook-sender',
      () => import('../docs/examples/packages/webhook-sender.ts'),
      ['{ delivered: 0, failed: 0, more: false }'],
    ],
  ])('the example of %s prints the expected lines', async (_, run, lines) => {
    expect(await printedLines(run)).toEqual(lines)
  })

  it.each([
    ['console', () => import('../docs/examples/packages/console.ts'), '/web/production/features', 200],
    ['openapi', () => import('../docs/examples/packages/openapi.ts'), '/api/v2/docs', 200],
    ['oidc', () => import('../docs/examples/people/oidc.ts'), '/api/v2/projects', 401],
    ['mcp', () => import('../docs/examples/agents/mcp.ts'), '/mcp', 401],
    ['mcp with a policy', () => import('../docs/examples/agents/policy.ts'), '/api/v2/projects', 401],
    ['oauth-server', () => import('../docs/examples/oauth/serve.ts'), '/trust/oauth/token', 405],
    ['pages', () => import('../docs/examples/packages/pages.ts'), '/hello', 200],
    ['transport-fetch', () => import('../docs/examples/packages/transport-fetch.ts'), '/api/v2/projects', 401],
  ])('the example of %s responds with the expected status', async (_, run, address, status) => {
    const { default: server } = await run()
    expect((await server.fetch(new Request(`https://flags.example.com${address}`))).status).toBe(status)
  })
})

it('the Postgres example opens a storage over a pool', async () => {
  const server = testPostgres
  const database = uniqueSchema()
  const administrator = new pg.Pool({ ...server, max: 1 })
  await administrator.query(`create database ${database}`)
  const { rows } = await administrator.query('show unix_socket_directories')
  const [socket] = String(rows[0].unix_socket_directories).split(',')
  vi.stubEnv('DATABASE_URL', `postgresql://postgres@/${database}?host=${socket}`)
  expect(await printedLines(() => import('../docs/examples/storage/postgres.ts'))).toEqual(['postgres'])
  vi.unstubAllEnvs()
  await administrator.query(`drop database ${database}`)
  await administrator.end()
})

it('the examples of replicas and of several servers open storages that connect when they are used', async () => {
  expect(await printedLines(() => import('../docs/examples/storage/replica.ts'))).toEqual(['postgres'])
  expect(await printedLines(() => import('../docs/examples/storage/shards.ts'))).toEqual(['sharded'])
})

it('the PGlite example opens a storage in a directory', async () => {
  const workingDirectory = process.cwd()
  const directory = await mkdtemp(path.join(tmpdir(), 'halyard-'))
  // Opening a copy of a database takes a fifth of the time of creating one.
  await cp(pgliteTemplate.directory, path.join(directory, 'data/halyard'), { recursive: true })
  process.chdir(directory)
  expect(await printedLines(() => import('../docs/examples/storage/pglite.ts'))).toEqual(['pglite'])
  expect(readdirSync('data')).toEqual(['halyard'])
  process.chdir(workingDirectory)
  await rm(directory, { recursive: true })
})

it('the SQLite example opens a storage in a file', async () => {
  const workingDirectory = process.cwd()
  const directory = await mkdtemp(path.join(tmpdir(), 'halyard-'))
  process.chdir(directory)
  expect(await printedLines(() => import('../docs/examples/storage/sqlite.ts'))).toEqual(['sqlite'])
  // Libsql leaves the log beside the file until it has released the statements of the connection.
  expect(readdirSync('.')).toContain('flags.db')
  process.chdir(workingDirectory)
  await rm(directory, { recursive: true })
})

it('the node:http example serves the API under its base path', async () => {
  expect(await printedLines(() => import('../docs/examples/express/node-http.ts'))).toEqual(['200 application/json'])
})

describe.each([
  ['4', express4],
  ['5', express],
])('the example for Express %s', (_, version) => {
  // The example is JavaScript because Express ships no type declarations.
  const example: string = '../docs/examples/express/express.mjs'
  const token = 'administrator-token-1'

  async function origin(app: RequestListener): Promise<string> {
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close().closeAllConnections())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const post = (url: string, body: object) =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('serves the API next to other routes, with a body parser before or after it', async () => {
    const { alone, application, parsedBefore } = await import(example)
    const { app, engine }: { app: RequestListener; engine: Engine } = await application(version, token)
    const mountedOrigin = await origin(app)
    expect(await (await fetch(`${mountedOrigin}/health`)).text()).toBe('ok')
    expect(await (await post(`${mountedOrigin}/orders`, { item: 'tea' })).json()).toEqual({ ordered: 'tea' })
    expect((await post(`${mountedOrigin}/features/api/v2/projects`, { key: 'web', name: 'Web' })).status).toBe(201)

    const parsedOrigin = await origin(await parsedBefore(version, engine))
    expect((await post(`${parsedOrigin}/api/v2/projects`, { key: 'app', name: 'App' })).status).toBe(201)
    const mounted = await origin(alone(version, engine))
    expect((await post(`${mounted}/features/api/v2/projects`, { key: 'pos', name: 'Tills' })).status).toBe(201)
    const { totalCount } = await engine.api.listProjects({}, { as: token })
    expect(totalCount).toBe(3)
    await engine.close()
  })
})
