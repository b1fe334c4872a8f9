import Database from 'libsql'
import { testOperations } from './setup/operation-tests.ts'
import { selectClientCases } from './setup/runs-all-cases.ts'
import { sqliteFiles } from './setup/sqlite-files.ts'

// The suite of storages tests each statement of SQLite, so each operation runs only once here.
testOperations(
  sqliteFiles((file) => new Database(file)),
  'fetch',
  selectClientCases,
)
