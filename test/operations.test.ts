import { createMemoryStorage } from '@halyard/storage-memory'
import { operationConformance } from '@halyard/testing'
import { afterAll, describe, it } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { transportHarnesses } from './transport-harnesses.ts'

const ways = ['in process', 'fetch', 'Express 5', 'Express 4 under a path, behind express.json()']

for (const transport of transportHarnesses.filter(({ name }) => ways.includes(name))) {
  describe(transport.name, () => {
    // The engine is examined whole where nothing is in between.
    const only = longTests || transport.name === 'in process' ? undefined : 'transport'
    const { cases, close } = operationConformance({ openStorage: async () => createMemoryStorage(), transport, only })
    afterAll(close)
    for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
  })
}
