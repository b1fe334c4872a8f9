import { storageConformance } from '@halyard/conformance'
import { conformanceHandler } from '../runtimes/conformance-report.ts'
import { schemasOfPostgres } from '../setup/schemas-of-postgres.ts'

interface Env {
  readonly DATABASE_URL: string
}

/** Runs the storage suite on Postgres over TCP. A connection belongs to the request that opened it. */
export default {
  async fetch(request: Request, { DATABASE_URL }: Env): Promise<Response> {
    const openSuite = () => {
      const storages = schemasOfPostgres({ connectionString: DATABASE_URL })
      return { cases: storageConformance(storages), close: () => storages.dispose() }
    }
    return conformanceHandler({ postgres: openSuite })(request)
  },
}
