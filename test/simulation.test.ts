import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkSimulation,
  randomChange,
  simulatedAccount,
} from '../packages/core/src/resources/simulation/test/simulated-account.ts'
import { everyStorage } from './setup/every-storage.ts'

const { memory, ...databases } = everyStorage()

describe.each(Object.entries(databases))('a simulation on %s', (_, open) => {
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
