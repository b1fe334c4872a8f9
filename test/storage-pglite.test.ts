import { storageConformance } from '@halyard/testing'
import { afterAll, describe, it } from 'vitest'
import { pgliteStorages } from './setup/pglite-storages.ts'

const storages = pgliteStorages()
afterAll(() => storages.dispose())

describe('storage on PGlite', () => {
  for (const { group, name, run } of storageConformance(storages)) it(`${group}: ${name}`, run, 60_000)
})
