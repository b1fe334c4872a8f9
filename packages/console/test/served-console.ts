import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BoundApi, createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'
import { createExpressConsole } from '../src/index.ts'

export const adminToken = 'an-administrator-of-the-page'
export const day = 86_400_000
export const hour = 3_600_000

export interface ServedConsole {
  readonly origin: string
  readonly api: BoundApi
  /** Sends a GET request to the API as another client. */
  read(path: string): Promise<never>
  close(): Promise<void>
}

/** Serves an engine with memory storage and the page on one server. */
export async function serveConsole(): Promise<ServedConsole> {
  const engine = createEngine({ storage: createMemoryStorage(), rateLimit: false })
  await engine.bootstrap({ token: adminToken })
  const api = createExpressHandler(engine)
  const page = createExpressConsole()
  const server = createServer((req, res) => page(req, res, () => api(req, res)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    api: engine.as(adminToken),
    async read(path) {
      const headers = { authorization: adminToken, 'SVC-API-Version': 'beta' }
      return (await (await fetch(`${origin}/api/v2/${path}`, { headers })).json()) as never
    },
    async close() {
      server.close().closeAllConnections()
      await engine.close()
    },
  }
}

/**
 * Creates the projects `shop`, with deployments of four applications and an insight group, and `bare`, without data.
 */
export async function fillConsole({ api }: ServedConsole): Promise<void> {
  await api.createProject({ body: { key: 'bare', name: 'Bare' } })
  await api.createProject({ body: { key: 'shop', name: 'Shop' } })
  const environmentParams = { projectKey: 'shop', environmentKey: 'production' }
  const today = Math.floor(Date.now() / day) * day
  for (const [rank, applicationKey] of ['checkout', 'search', 'catalogue', 'mail'].entries()) {
    for (let daysAgo = rank; daysAgo < 80; daysAgo += 2 + rank) {
      const eventTime = today - daysAgo * day - rank * hour
      const version = `1.${80 - daysAgo}.0`
      const startedAt = eventTime - (1 + ((daysAgo * 7 + rank * 5) % 11)) * day
      const mergedAt = eventTime - 3 * hour
      const pullRequests = [
        { externalId: `${daysAgo}`, startedAt, openedAt: startedAt + hour, mergedAt, linesAdded: 1, linesDeleted: 0 },
      ]
      const body = {
        ...environmentParams,
        applicationKey,
        version,
        eventType: 'finished',
        eventTime,
        pullRequests,
      } as const
      await api.createDeploymentEvent({ body })
    }
  }
  await api.createInsightGroup({
    body: { key: 'front', name: 'Front of the shop', ...environmentParams, applicationKeys: ['checkout', 'search'] },
  })
}
