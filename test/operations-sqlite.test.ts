import Database from 'libsql'
import { testOperations } from './setup/operation-tests.ts'
import { selectClientCases } from './setup/runs-all-cases.ts'
import { sqliteFiles } from './setup/sqlite-files.ts'

// The cases of storages test each statement of SQLite; here each operation runs once with them.
testOperations(
  sqliteFiles((file) => new Database(file)),
  'fetch',
  selectClientCases,
)
