import { createMemoryStorage } from '@halyard/storage-memory'
import { describe } from 'vitest'
import { deliveriesBetweenEngines } from './setup/deliveries-between-engines.ts'

describe('two engines that deliver from one memory storage', () => {
  deliveriesBetweenEngines(async () => createMemoryStorage())
})
