import Database from 'libsql'
import { testOperations } from './setup/operation-tests.ts'
import { sqliteFiles } from './setup/sqlite-files.ts'

testOperations(
  sqliteFiles((file) => new Database(file)),
  'fetch',
)
