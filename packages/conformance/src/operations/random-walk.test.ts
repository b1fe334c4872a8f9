import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createDeterministicHost } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { inProcessHarness } from '../transport/in-process-harness.ts'
import { adminToken, seededNow } from '../transport/seeded-engine.ts'
import { settings } from './operation-fixture.ts'
import { checkReplay, checkReverts, openWalk } from './test/walk/checked-walk.ts'

const seed = Number(process.env.HALYARD_TEST_SEED ?? 20_240_229)

/** Two engines on one storage in memory, with one clock that advances with each call. */
async function openEngines() {
  const storage = createMemoryStorage()
  const { newId, randomHex } = createDeterministicHost(seededNow)
  let now = seededNow
  const open = () =>
    createEngine({ ...settings, storage, clock: () => now++, newId, randomHex, rateLimit: false, cache: {} })
  const engines = [open(), open()]
  await engines[0]?.bootstrap({ token: adminToken })
  const clients = await Promise.all(engines.map((engine) => inProcessHarness.open(engine)))
  return { operations: engines[0]?.operations ?? [], clients, account: storage.account('default') }
}

describe('a random walk over all writing operations', () => {
  it('ends with the state that results from the change log', async () => {
    const walk = await openWalk({ ...(await openEngines()), seed })
    await walk.run(400)
    await checkReplay(walk)
  }, 60_000)

  it('ends with the first state when every entry is reverted, newest first', async () => {
    const walk = await openWalk({ ...(await openEngines()), seed: seed + 1, reversible: true })
    await walk.run(60)
    const first = await walk.responses()
    const { length } = await walk.entries()
    await walk.run(120)
    await checkReverts(walk, length)
    const after = await walk.responses()
    expect(walk.differences(first, after)).toEqual([])
    await checkReplay(walk)
  }, 60_000)
})
