import { testService } from './test-services.ts'

/** Connection to the PostgreSQL server of the tests. Importing this module starts the server. */
export const testPostgres = await testService('postgres')
