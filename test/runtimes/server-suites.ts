import { fetchHarness, operationConformance, storageConformance, transportConformance } from '@halyard/conformance'
import { createFetchHandler } from '@halyard/transport-fetch'
import { copiesOfPglite } from '../setup/copies-of-pglite.ts'
import { type PostgresStorages, schemasOfPostgres } from '../setup/schemas-of-postgres.ts'
import { transportHarnesses } from '../transport-harnesses.ts'
import type { SuiteFactory } from './conformance-report.ts'
import { runtimeName, runtimeServerHarness } from './served-by-runtime.ts'

const overFetch = fetchHarness('fetch', (engine) => createFetchHandler(engine))

const postgresOf = (query: URLSearchParams): PostgresStorages =>
  schemasOfPostgres({ connectionString: query.get('postgres') ?? '' })

const overHttp =
  (name: string): SuiteFactory =>
  () => {
    const harness = transportHarnesses.find((transport) => transport.name === name)
    if (!harness) throw new Error(`no transport is named ${name}`)
    return { cases: transportConformance(harness), close: async () => {} }
  }

/** Cases that the server of a runtime fails, each with the reason. */
const excludedCases: ReadonlyMap<string, string> = new Map([
  [
    'the connection can be used again after a file was refused while it was read in Node',
    'the Node adapter of Hono closes the connection when a request body is not read',
  ],
])

/**
 * Suites that must pass on runtimes with sockets and files: Postgres (`?postgres=<url>`), PGlite (`?pglite=<empty data
 * directory>`), and servers.
 */
export const serverSuites = {
  'postgres-storage': (query) => {
    const storages = postgresOf(query)
    return { cases: storageConformance(storages), close: () => storages.dispose() }
  },
  'postgres-operations': (query) => {
    const storages = postgresOf(query)
    const { cases, close } = operationConformance({ openStorage: storages.open, transport: overFetch, only: 'storage' })
    return { cases, close: () => close().then(() => storages.dispose()) }
  },
  'pglite-storage': (query) => {
    const storages = copiesOfPglite(query.get('pglite') ?? '')
    return { cases: storageConformance(storages), close: () => storages.dispose() }
  },
  'own-server': () => {
    const cases = transportConformance(runtimeServerHarness).filter(
      ({ name }) => !excludedCases.has(`${name} in ${runtimeName}`),
    )
    return { cases, close: async () => {} }
  },
  'node-http': overHttp('node:http'),
  express: overHttp('Express 5'),
  'express-4': overHttp('Express 4 under a path, behind express.json()'),
} satisfies Record<string, SuiteFactory>
