import { storageConformance } from '@halyard/conformance'
import { createClient } from '@libsql/client'
import { afterAll, describe, it } from 'vitest'
import { selectClientCases } from './setup/runs-all-cases.ts'
import { sqliteFiles } from './setup/sqlite-files.ts'

const { open, reopen, dispose } = sqliteFiles((file) => createClient({ url: `file:${file}` }))
afterAll(dispose)

const watchUnsupportedReason = 'a client does not learn of commits of other clients'

describe('storage on a file of @libsql/client', () => {
  const cases = storageConformance({ open, reopen, watchUnsupportedReason })
  // The client sends the same statements as the driver `libsql`, with which all cases run.
  for (const { group, name, run } of selectClientCases(cases, ['isolation', 'statements']))
    it(`${group}: ${name}`, run, 60_000)
})
