import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { createExpressHandler, createExpressHealth } from '@halyard/transport-express'
import { createFetchHandler, withHealth } from '@halyard/transport-fetch'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ownDatabase } from './setup/own-database.ts'

type SendRequest = (path: string, init?: RequestInit) => Promise<Response>

const transports: Readonly<Record<string, (engine: Engine) => Promise<SendRequest>>> = {
  fetch: async (engine) => {
    const handler = withHealth(createFetchHandler(engine), engine)
    return (path, init) => handler(new Request(`http://localhost${path}`, init))
  },
  'node:http': async (engine) => {
    const [health, api] = [createExpressHealth(engine), createExpressHandler(engine)]
    const server = createServer((req, res) => health(req, res, () => api(req, res)))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close().closeAllConnections())
    return (path, init) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init)
  },
}

/** Returns a memory storage with the given `ping`. */
function storageWith(ping: () => Promise<void>): Storage {
  return { ...createMemoryStorage(), ping }
}

describe.each(Object.entries(transports))('health endpoints over %s', (_, open) => {
  it('report live and ready without a token while the storage responds, and leave the API unchanged', async () => {
    const send = await open(createEngine({ storage: createMemoryStorage() }))
    for (const path of ['/livez', '/healthz', '/readyz']) {
      const response = await send(path)
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 200, 'no-store'])
    }
    expect(await (await send('/readyz')).json()).toEqual({ status: 'ready', watching: true })
    expect((await send('/readyz', { method: 'POST' })).status).toBe(405)
    expect(await (await send('/readyz', { method: 'HEAD' })).text()).toBe('')
    expect((await send('/api/v2/projects')).status).toBe(401)
    expect((await send('/nowhere')).status).toBe(404)
  })

  it('report live but not ready when the storage fails, without revealing the cause', async () => {
    const send = await open(
      createEngine({ storage: storageWith(() => Promise.reject(new Error('no route to db.inner'))) }),
    )
    expect((await send('/livez')).status).toBe(200)
    const response = await send('/readyz')
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'not ready', reason: 'storage does not respond' },
    ])
  })
})

it('readiness stops waiting for an unresponsive storage after 2 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const engine = createEngine({ storage: storageWith(() => new Promise(() => {})) })
  const readiness = engine.readiness()
  await vi.advanceTimersByTimeAsync(1_999)
  await expect(Promise.race([readiness, 'waiting'])).resolves.toBe('waiting')
  await vi.advanceTimersByTimeAsync(1)
  expect(await readiness).toEqual({ ready: false, reason: 'storage did not respond within 2000 ms' })
})

it('readiness is false after the Postgres database is dropped', async () => {
  const database = await ownDatabase()
  const engine = createEngine({ storage: createPostgresStorage({ pool: database.pool }) })
  await engine.migrate()
  expect(await engine.readiness()).toMatchObject({ ready: true })
  await engine.close()
  await database.drop()
  expect(await engine.readiness()).toEqual({ ready: false, reason: 'storage does not respond' })
})
