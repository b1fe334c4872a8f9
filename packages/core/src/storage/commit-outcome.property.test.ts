import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { commitOutcome } from './commit-outcome.ts'
import { overlayStorage } from './overlay-storage.ts'
import type { AccountStorage, Change, CommitOutcome, StoredRecord } from './port.ts'

const scope = fc.constantFrom('proj/p', 'proj/p:env/e', 'proj/q')
const name = fc.constantFrom('x', 'y')
const key = fc.constantFrom('a', 'b', 'c')
const version = fc.integer({ min: 1, max: 3 })
const ids = fc.array(key, { maxLength: 4 })
const id = fc.record({ collection: name, scope, key })
const inScope = fc.record({ name, scope })
/** The time is computed from the id, because a sample that is appended again has the same time. */
const timeOf = (text: string) => text.charCodeAt(0)
const samples = ids.map((list) =>
  list.map((text) => ({ id: text, at: timeOf(text), label: '', values: [], body: null })),
)
const tasks = ids.map((list) => list.map((text) => ({ id: text, lane: '', at: timeOf(text), due: 0, body: null })))

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), id, body: fc.constant({}), fields: fc.constant({}) }),
  fc.record({ do: fc.constant('replace' as const), id, version, body: fc.constant({}), fields: fc.constant({}) }),
  fc.record({ do: fc.constant('remove' as const), id, version }),
  fc.record({ do: fc.constant('ensure' as const), id, body: fc.constant({}), fields: fc.constant({}) }),
  fc.record({ do: fc.constant('discard' as const), id }),
  fc.record({ do: fc.constant('expect' as const), id, version }),
  fc.record({ do: fc.constant('clear' as const), scope }),
  fc.record({ do: fc.constant('add-keys' as const), set: inScope, keys: ids }),
  fc.record({ do: fc.constant('remove-keys' as const), set: inScope, keys: ids }),
  fc.record({ do: fc.constant('append' as const), series: inScope, samples }),
  fc.record({ do: fc.constant('delete-samples' as const), series: inScope, ids }),
  fc.record({ do: fc.constant('enqueue' as const), queue: inScope, tasks }),
)
const history = fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 })

/** Counts that writers do not return are 0. */
function observed(batch: readonly Change[], outcome: CommitOutcome): CommitOutcome {
  if (outcome.outcome !== 'committed') return outcome
  return { ...outcome, counts: outcome.counts.map((count, index) => (batch[index]?.do === 'clear' ? 0 : count)) }
}

it('commitOutcome predicts the outcome of every commit', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.boolean(), async (batches, hasFindSamples) => {
      const account = createMemoryStorage().account('default')
      const { findSamples, ...others } = account
      const stored: AccountStorage = hasFindSamples ? account : others
      for (const batch of batches) {
        const predicted = await commitOutcome(stored, withoutDeletions(batch, hasFindSamples))
        const actual = await account.commit(withoutDeletions(batch, hasFindSamples))
        expect(predicted).toEqual(observed(batch, actual))
      }
    }),
    { numRuns: 300 },
  )
})

/**
 * Returns the batch; without `findSamples`, its deletions name no samples. Only `findSamples` finds samples by ids
 * alone, without their times.
 */
function withoutDeletions(batch: readonly Change[], hasFindSamples: boolean): readonly Change[] {
  return hasFindSamples ? batch : batch.map((item) => (item.do === 'delete-samples' ? { ...item, ids: [] } : item))
}

async function recordsOf(account: AccountStorage): Promise<StoredRecord[]> {
  const records: StoredRecord[] = []
  for await (const chunk of account.dump()) records.push(...chunk)
  return records
}

it('an overlay with predicted outcomes accepts and refuses as the storage does, and writes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(history, history, async (stored, batches) => {
      const account = createMemoryStorage().account('default')
      for (const batch of stored) await account.commit(batch)
      const before = await recordsOf(account)
      const overlay = overlayStorage(account, commitOutcome)
      const outcomes: CommitOutcome[] = []
      for (const batch of batches) outcomes.push(await overlay.storage.commit(batch))
      expect(await recordsOf(account)).toEqual(before)
      for (const [index, batch] of batches.entries()) {
        expect(outcomes[index]).toEqual(observed(batch, await account.commit(batch)))
      }
    }),
    { numRuns: 100 },
  )
})
