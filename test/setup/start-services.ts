import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { bundlePrograms } from './bundles.ts'
import { makePgliteSnapshot } from './pglite-snapshot.ts'
import { startPostgres } from './postgres-server.ts'
import type { TestServices } from './test-services.ts'

/** A service that runs, and the function that stops it. */
interface RunningService<Value> {
  readonly value: Value
  stop(): Promise<void> | void
}

/** Functions that start each service for a vitest project, whose name decides the versions of peer dependencies. */
type Starters = {
  readonly [Name in keyof TestServices]: (projectName: string) => Promise<RunningService<TestServices[Name]>>
}

const starters: Starters = { postgres: startTestPostgres, pglite: makePgliteSnapshot, bundles: bundlePrograms }

/**
 * Listens for test files that need a service, and starts each service at the first request for it. A run of a test file
 * that needs no service starts none.
 *
 * @returns the function that stops all services.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<RunningService<unknown>>>()
  const start = (name: string) => {
    const service = started.get(name) ?? starters[name as keyof Starters](project.name)
    started.set(name, service)
    return service
  }
  const server = createServer((request, response) => {
    start(request.url?.slice(1) ?? '').then(
      ({ value }) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  project.provide('projectName', project.name)
  project.provide('testServices', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const stop = async (name: string) => {
    const service = started.get(name)
    started.delete(name)
    // The test files that requested a service report that it did not start.
    await service?.then((running) => running.stop()).catch(() => undefined)
  }
  // In watch mode, the next run bundles the programs again, because their sources may have changed.
  project.onTestsRerun(() => stop('bundles'))
  return async () => {
    server.closeAllConnections()
    server.close()
    await Promise.all(Object.keys(starters).map(stop))
  }
}

/** Starts a server for the tests, or returns the server that an environment variable names. */
async function startTestPostgres(): Promise<RunningService<TestServices['postgres']>> {
  const connectionString = process.env.HALYARD_TEST_POSTGRES_URL
  if (connectionString) return { value: { connectionString }, stop: () => {} }
  const { connection, stop } = await startPostgres()
  return { value: connection, stop }
}
