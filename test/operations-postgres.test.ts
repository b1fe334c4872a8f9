import { testOperations } from './setup/examined-operations.ts'
import { postgresStorages } from './setup/postgres-storages.ts'

testOperations(postgresStorages(), 'fetch')
