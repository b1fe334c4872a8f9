import { testOperations } from './setup/operation-tests.ts'
import { postgresStorages } from './setup/postgres-storages.ts'

testOperations(postgresStorages(), 'fetch')
