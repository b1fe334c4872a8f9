import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, it } from 'vitest'
import { checkPast } from './test/walk/checked-past.ts'

describe('an engine that reads the past', () => {
  it('returns the documents and the responses of each moment of a random walk', async () => {
    await checkPast(createMemoryStorage(), 20_260_101, { moments: 4, writes: 100 })
  }, 120_000)
})
