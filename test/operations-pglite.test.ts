import { examineOperations } from './setup/examined-operations.ts'
import { pgliteStorages } from './setup/pglite-storages.ts'

examineOperations(pgliteStorages(), 'Express 5')
