import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkSimulation, randomChange, simulatedAccount } from './test/simulated-account.ts'

it('a simulation writes nothing, and predicts results, errors, flags, webhooks and the change log entry of the change', async () => {
  const counts = { succeeded: 0, refused: 0, changing: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(randomChange, { minLength: 4, maxLength: 12 }), async (changes) => {
      const account = await simulatedAccount(createMemoryStorage())
      for (const change of changes) {
        const { differences, actual: succeeded, changed } = await checkSimulation(account, change)
        expect(differences, JSON.stringify(change)).toEqual([])
        if (succeeded) counts.succeeded++
        else counts.refused++
        if (changed > 0) counts.changing++
      }
      await account.engine.close()
    }),
    { numRuns: 25 },
  )
  // Asserts that enough changes of each kind were generated.
  expect(counts.succeeded).toBeGreaterThan(100)
  expect(counts.refused).toBeGreaterThan(20)
  expect(counts.changing).toBeGreaterThan(20)
})
