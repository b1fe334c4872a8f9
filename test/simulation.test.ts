import type { Storage } from '@halyard/core/storage'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  checkSimulation,
  randomChange,
  simulatedAccount,
} from '../packages/core/src/resources/simulation/test/simulated-account.ts'
import { pgliteStorages } from './setup/pglite-storages.ts'
import { postgresStorages } from './setup/postgres-storages.ts'

const postgres = postgresStorages()
const pglite = pgliteStorages()

afterAll(async () => {
  await pglite.dispose()
  await postgres.dispose()
})

describe.each<[string, () => Promise<Storage>]>([
  ['PGlite', () => pglite.open()],
  ['Postgres', () => postgres.open()],
])('a simulation on %s', (_, open) => {
  it('stores nothing and predicts the effect of the change', async () => {
    const account = await simulatedAccount(await open())
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(fc.array(randomChange, { minLength: 4, maxLength: 4 }), async (changes) => {
        for (const change of changes) {
          const checked = await checkSimulation(account, change)
          expect(checked.differences, JSON.stringify(change)).toEqual([])
          if (checked.actual) accepted++
        }
      }),
      { numRuns: 2, endOnFailure: true },
    )
    expect(accepted).toBeGreaterThan(2)
    await account.engine.close()
  })
})
