import { testOperations } from './setup/operation-tests.ts'
import { pgliteStorages } from './setup/pglite-storages.ts'

testOperations(pgliteStorages(), 'Express 5')
