import { examineOperations } from './setup/examined-operations.ts'
import { postgresStorages } from './setup/postgres-storages.ts'

examineOperations(postgresStorages(), 'fetch')
