import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createDeterministicHost } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { inProcessHarness } from '../transport/in-process-harness.ts'
import { adminToken, seededNow } from '../transport/seeded-engine.ts'
import { settings } from './operation-fixture.ts'
import { checkReplay, checkReverts, openWalk } from './test/walk/checked-walk.ts'

const seed = Number(process.env.HALYARD_TEST_SEED ?? 20_240_229)

/** Time by which the clock of one process is behind, in ms: about the duration of 20 calls. */
const lateMs = 20

/**
 * Two engines on one storage in memory, with clocks that advance with each call.
 *
 * @param late time by which the clock of the second engine is behind, ms.
 */
async function openEngines(late = 0) {
  const storage = createMemoryStorage()
  const { newId, randomHex } = createDeterministicHost(seededNow)
  let now = seededNow
  const open = (by: number) =>
    createEngine({ ...settings, storage, clock: () => now++ - by, newId, randomHex, rateLimit: false, cache: {} })
  const engines = [open(0), open(late)]
  await engines[0]?.bootstrap({ token: adminToken })
  const clients = await Promise.all(engines.map((engine) => inProcessHarness.open(engine)))
  return { operations: (await engines[0]?.definitions()) ?? [], clients, account: storage.account('default') }
}

describe('a random walk over all writing operations', () => {
  it('ends with the state that results from the change log', async () => {
    const walk = await openWalk({ ...(await openEngines()), seed })
    await walk.run(400)
    await checkReplay(walk)
  }, 60_000)

  it('returns to the first state when all entries are reverted, the latest commit first, although clocks differ', async () => {
    const walk = await openWalk({ ...(await openEngines(lateMs)), seed: seed + 1, reversible: true })
    await walk.run(60)
    const first = await walk.responses()
    const { length } = walk.committed()
    await walk.run(120)
    await checkReverts(walk, length)
    const after = await walk.responses()
    expect(walk.differences(first, after)).toEqual([])
  }, 60_000)
})
