import { createMemoryStorage } from '@halyard/storage-memory'
import { describe } from 'vitest'
import { deliveriesBetweenEngines } from './setup/deliveries-between-engines.ts'

describe('engines that deliver from one memory', () => {
  deliveriesBetweenEngines(async () => createMemoryStorage())
})
