import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import { expect, onTestFinished } from 'vitest'
import type { PostgresStorages } from './postgres-storages.ts'
import { createSdkFixture, environmentKeys } from './sdk-fixture.ts'

/** Initial time of the clock. */
export const start = Date.UTC(2026, 10, 2)
export const hour = 60 * 60 * 1000

/** Names of the storages on which two processes serve SDKs. */
export const storageNames = ['memory', 'Postgres'] as const

/** Opens a storage twice: for this process, and as another process sees it. */
async function openTwice(
  name: (typeof storageNames)[number],
  postgres: PostgresStorages,
): Promise<readonly [Storage, Storage]> {
  if (name === 'Postgres') {
    const storage = await postgres.open()
    return [storage, await postgres.openSecond(storage)]
  }
  const storage = createMemoryStorage()
  return [storage, { ...storage, close: async () => {} }]
}

/** Creates the fixture of SDKs in a storage, and a second engine on it, as another process has one. */
export async function createTwoProcessFixture(name: (typeof storageNames)[number], postgres: PostgresStorages) {
  const [storage, secondStorage] = await openTwice(name, postgres)
  let now = start
  const clock = () => now
  const otherEngine = createEngine({ storage: secondStorage, clock })
  onTestFinished(() => otherEngine.close())
  const fixture = await createSdkFixture(storage, { clock })
  const sendTo = (engine: Engine) => {
    const handler = withSdk(createFetchHandler(engine), engine)
    return (path: string, key?: string) =>
      handler(new Request(`http://localhost${path}`, key === undefined ? {} : { headers: { authorization: key } }))
  }
  const [send, sendToOther] = [sendTo(fixture.engine), sendTo(otherEngine)]
  return {
    ...fixture,
    other: otherEngine,
    ask: send,
    pass: (ms: number) => (now += ms),
    reset: async (expiry?: number) =>
      (
        await fixture.api.resetSdkKey(
          { ...environmentKeys, ...(expiry === undefined ? {} : { expiry }) },
          { as: fixture.as },
        )
      ).apiKey,
    /** Returns the status that both processes respond with to a key, as soon as they agree. */
    status: async (key: string) => {
      const ownStatus = (await send('/sdk/latest-all', key)).status
      await expect.poll(async () => (await sendToOther('/sdk/latest-all', key)).status, { interval: 1 }).toBe(ownStatus)
      return ownStatus
    },
  }
}
