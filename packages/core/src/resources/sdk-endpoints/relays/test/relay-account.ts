import { createMemoryStorage } from '@halyard/storage-memory'
import type { Statement } from '../../../../entries/policy.ts'
import { type As, createEngine, type EngineInput, type LogEntry } from '../../../../index.ts'
import { allow } from '../../../account/test/calls.ts'
import { connectRelay } from './relay-client.ts'
import type { relayStore } from './relay-store.ts'

/** Initial time of the clock. */
export const start = Date.UTC(2026, 10, 2)

/** A policy that allows all environments. */
export const allEnvironments: readonly Statement[] = [allow(['*'], ['proj/*:env/*'])]

/** Rights to manage the configurations of relays, without any right to environments. */
export const relayManager = allow(['*'], ['relay-proxy-config/*'])

/** Creates an account with the project `web`, and functions that call the operations on configurations of relays. */
export async function relayAccount(options: Partial<EngineInput> = {}) {
  let now = start
  const log: LogEntry[] = []
  const storage = options.storage ?? createMemoryStorage()
  const settings = { clock: () => now, sdk: { flushMs: 0 }, log: (entry: LogEntry) => log.push(entry) }
  const engine = createEngine({ ...settings, ...options, storage })
  const owner = await engine.bootstrap({ email: 'ada@example.com', firstName: 'Ada', lastName: 'L' })
  if (!owner) throw new Error('the account exists already')
  const as: As = owner.token
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  return {
    engine,
    storage,
    api,
    as,
    log,
    memberId: owner.memberId,
    now: () => now,
    pass: (ms: number) => {
      now += ms
    },
    create: (policy: readonly Statement[] = allEnvironments, caller: As = as) =>
      api.postRelayAutoConfig({ body: { name: 'Europe', policy } }, { as: caller }),
    setPolicy: (id: string, policy: readonly Statement[], caller: As = as) =>
      api.patchRelayAutoConfig({ id, body: [{ op: 'replace', path: '/policy', value: policy }] }, { as: caller }),
    reset: (id: string, expiry?: number, caller: As = as) =>
      api.resetRelayAutoConfig({ id, ...(expiry === undefined ? {} : { expiry }) }, { as: caller }),
    /** Creates a service token with an inline role, and returns its value. */
    serviceToken: async (inlineRole: readonly Statement[]): Promise<string> =>
      (await api.createToken({ body: { inlineRole, serviceToken: true } }, { as })).token,
    connect: (key: string, store?: ReturnType<typeof relayStore>) => connectRelay(engine, key, store),
    /** Returns the id of the newest entry of the change log. */
    newestEntry: async () => (await api.listChangeLog({ limit: 1 }, { as })).items[0]?._id as string,
  }
}

/** Returns the keys of the environments of a relay, e.g. `web/production`, in order. */
export function environmentNames({ all }: ReturnType<typeof relayStore>): string[] {
  return [...all().values()].map(({ projKey, envKey }) => `${projKey}/${envKey}`).sort()
}
