import { createMemoryStorage } from '@halyard/storage-memory'
import { createEngine } from '../../../index.ts'
import { engineRequest } from '../../account/test/calls.ts'

const as = { role: 'owner' } as const
export const environment = { projectKey: 'web', environmentKey: 'production' }
export const day = 24 * 60 * 60 * 1000

/** Creates a project, and functions that report and find contexts in its environment `production`. */
export async function web() {
  let now = Date.UTC(2026, 2, 1)
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, clock: () => now, sdk: { flushMs: 0 } })
  const api = engine.as(as)
  await api.createProject({ body: { key: 'web', name: 'Web' } })
  const { apiKey, _id } = await api.getEnvironment(environment)
  const send = async (path: string, body: unknown, authorization?: string) =>
    (await engine.sdk.handle(engineRequest('POST', path, body, authorization ? { authorization } : {})))?.status
  const find = async (filter = '') => {
    const { items } = await api.searchContexts({ ...environment, body: { filter } })
    return items.map(({ context }) => `${context.kind}:${context.key}`)
  }
  const instances = async (filter = '') =>
    (await api.searchContextInstances({ ...environment, body: { filter } })).items
  return {
    engine,
    api,
    find,
    instances,
    advance(ms: number) {
      now += ms
    },
    report: (...events: readonly object[]) => send('/bulk', events, apiKey),
    identify: (context: object) => send(`/events/bulk/${_id}`, [{ kind: 'identify', context }]),
    see: (...contexts: readonly object[]) =>
      api.createContextInstances({ ...environment, body: { contexts: contexts as never } }),
  }
}

export const ann = { kind: 'user', key: 'ann', name: 'Ann Smith', country: 'de', groups: ['beta', 'staff'], level: 3 }
export const bob = { kind: 'user', key: 'bob', name: 'Bob', country: 'at' }
export const device = { kind: 'device', key: 'p1', model: 'P1' }
export const both = { kind: 'multi', user: { key: 'ann', name: 'Ann Smith' }, device: { key: 'p1', model: 'P1' } }
