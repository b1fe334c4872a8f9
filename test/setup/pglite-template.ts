import { testService } from './test-services.ts'

/** Empty PGlite data directory that tests copy. Importing this module creates the directory. */
export const pgliteTemplate = await testService('pglite')
