import { testOperations } from './setup/examined-operations.ts'
import { pgliteStorages } from './setup/pglite-storages.ts'

testOperations(pgliteStorages(), 'Express 5')
