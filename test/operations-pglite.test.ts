import { testOperations } from './setup/operation-tests.ts'
import { pgliteStorages } from './setup/pglite-storages.ts'
import { selectClientCases } from './setup/runs-all-cases.ts'

// PGlite is Postgres, and its storage has the same statements.
testOperations(pgliteStorages(), 'Express 5', selectClientCases)
