import { operationConformance } from '@halyard/testing'
import { afterAll, describe, it } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { pgliteStorages } from './setup/pglite-storages.ts'
import { transportHarnesses } from './transport-harnesses.ts'

const storages = pgliteStorages()

for (const transport of transportHarnesses.filter(({ name }) => name === 'Express 5')) {
  describe(transport.name, () => {
    // The engine is examined whole over memory.
    const only = longTests ? undefined : 'storage'
    const { cases, close } = operationConformance({ openStorage: storages.open, transport, only })
    afterAll(async () => {
      await close()
      await storages.dispose()
    })
    for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
  })
}
