import { storageConformance } from '@halyard/testing'
import { afterAll, describe, it } from 'vitest'
import { postgresStorages } from './setup/postgres-storages.ts'

const storages = postgresStorages()
afterAll(() => storages.dispose())

describe('storage on Postgres', () => {
  for (const { group, name, run } of storageConformance(storages)) it(`${group}: ${name}`, run, 60_000)
})
