import { resources } from '@halyard/core/operations'
import type { Storage } from '@halyard/core/storage'
import type { ConformanceCase } from '../storage/conformance-case.ts'
import type { TransportHarness } from '../transport/transport-harness.ts'
import { examples } from './examples/index.ts'
import type { AdapterKind } from './operation-case.ts'
import { casesFor } from './operation-cases.ts'
import { type OperationFixture, openOperationFixture } from './operation-fixture.ts'

/** The storage and the transport with which operations are tested. */
export interface OperationHarness {
  /** Opens a storage that is empty and migrated. It is closed at the end of the run. */
  openStorage(): Promise<Storage>
  readonly transport: TransportHarness
  /**
   * Restricts the run to cases that cover this adapter, when the same engine is fully tested with other adapters.
   * Default: all cases.
   */
  readonly only?: AdapterKind | undefined
}

/** The cases of a conformance run, and a function that ends it. */
export interface OperationConformance {
  readonly cases: readonly ConformanceCase[]
  /** Closes the engine and the storage that the cases share. Call it after the last case. */
  close(): Promise<void>
}

/**
 * Tests every operation against its definition: it succeeds with the declared response, requires a token, rejects
 * hostile input, and fails with the declared errors only, each of which occurs.
 *
 * All cases share one engine; each creates the resources that it needs, so that they may run in any order, or at the
 * same time.
 *
 * @example
 * ```ts
 * import { createMemoryStorage } from '@halyard/storage-memory'
 * import { inProcessHarness, operationConformance } from '@halyard/conformance'
 *
 * const { cases, close } = operationConformance({
 *   openStorage: async () => createMemoryStorage(),
 *   transport: inProcessHarness,
 * })
 * // In a test file: for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
 * await cases.find(({ group }) => group === 'getTeam')?.run()
 * await close()
 * ```
 */
export function operationConformance({ openStorage, transport, only }: OperationHarness): OperationConformance {
  let shared: Promise<OperationFixture> | undefined
  const open = () => (shared ??= openStorage().then((storage) => openOperationFixture(transport, storage, examples)))
  const operations = resources.flatMap((resource) => resource.operations)
  const cases = operations.flatMap((operation) =>
    Object.entries(casesFor(operation, transport))
      .filter(([, { covers }]) => only === undefined || covers.includes(only))
      .map(([name, { run }]) => ({ group: operation.id, name, run: async () => run(await open(), operation) })),
  )
  return { cases, close: async () => (await shared)?.close() }
}
