import { storageConformance } from '@halyard/conformance'
import { createMemoryStorage } from '@halyard/storage-memory'
import { it } from 'vitest'

const cases = storageConformance({ open: async () => createMemoryStorage() })

for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
