import { createMemoryStorage } from '@halyard/storage-memory'
import { type As, createEngine } from '../../../index.ts'
import { engineRequest } from '../../account/test/calls.ts'

export const environment = { projectKey: 'web', environmentKey: 'production' } as const

/** Initial time of the clock. */
export const start = Date.UTC(2026, 10, 2)

/** Creates an environment in memory, and functions that call the operations on its SDK keys. */
export async function keyedEnvironment() {
  let now = start
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => now, sdk: { flushMs: 0 } })
  const owner = await engine.bootstrap({ email: 'ada@example.com' })
  if (!owner) throw new Error('the account exists already')
  const as: As = owner.token
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const keysOf = (sdkKeyKey: string) => ({ ...environment, sdkKeyKey })
  return {
    engine,
    api,
    as,
    memberId: owner.memberId,
    keysOf,
    now: () => now,
    pass: (ms: number) => {
      now += ms
    },
    add: (key: string, properties: object = {}, caller: As = as) =>
      api.postSdkKey({ ...environment, body: { key, name: key, ...properties } }, { as: caller }),
    get: (key: string, caller: As = as) => api.getSdkKeyByKey(keysOf(key), { as: caller }),
    list: (query: object = {}, caller: As = as) => api.getSdkKeys({ ...environment, ...query }, { as: caller }),
    patch: (key: string, body: object, caller: As = as) =>
      api.patchSdkKeyByKey({ ...keysOf(key), body }, { as: caller }),
    remove: (key: string, caller: As = as) => api.deleteSdkKeyByKey(keysOf(key), { as: caller }),
    /** Returns the id of the newest entry of the change log. */
    newestEntry: async () => (await api.listChangeLog({ limit: 1 }, { as })).items[0]?._id as string,
    /** Returns the status with which an endpoint of server-side or mobile SDKs responds to a key. */
    async status(kind: 'sdk' | 'mobile', value: string): Promise<number | undefined> {
      const context = Buffer.from(JSON.stringify({ kind: 'user', key: 'ann' })).toString('base64url')
      const path = kind === 'sdk' ? '/sdk/latest-all' : `/msdk/evalx/contexts/${context}`
      return (await engine.sdk.handle(engineRequest('GET', path, undefined, { authorization: value })))?.status
    },
  }
}
