import { inject } from 'vitest'
import type { PostgresConnection } from './postgres-server.ts'

/** The services that all test files of one run share, by name, with the data that a test needs to use each of them. */
export interface TestServices {
  /** A server on which tests may create schemas; fits `pg.PoolConfig`. */
  readonly postgres: PostgresConnection | { readonly connectionString: string }
  /**
   * An empty data directory of PGlite, and the same directory as an archive. A copy opens five times as fast as a new
   * directory.
   */
  readonly pglite: { readonly directory: string; readonly archive: string }
  /** The bundle of each program that tests start, by the path of its source from the root of the repository. */
  readonly bundles: Readonly<Record<string, string>>
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address at which the global setup starts services. */
    testServices: string
    /** The vitest project that runs, which decides the versions of peer dependencies. */
    projectName: string
  }
}

/**
 * Starts a service, unless another test file has started it. The service stops after the run.
 *
 * @throws Error when the service does not start.
 */
export async function testService<Name extends keyof TestServices>(name: Name): Promise<TestServices[Name]> {
  const response = await fetch(`${inject('testServices')}/${name}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as TestServices[Name]
}
