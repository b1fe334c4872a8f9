import { storageConformance } from '@halyard/conformance'
import Database from 'libsql'
import { afterAll, describe, it } from 'vitest'
import { selectCases } from './setup/runs-all-cases.ts'
import { sqliteFiles } from './setup/sqlite-files.ts'

const files = sqliteFiles((file) => new Database(file))
afterAll(() => files.dispose())

describe('storage on a file of libsql', () => {
  for (const { group, name, run } of selectCases(storageConformance(files))) it(`${group}: ${name}`, run, 60_000)
})
