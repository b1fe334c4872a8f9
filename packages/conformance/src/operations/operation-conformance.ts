import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import type { ConformanceCase } from '../storage/conformance-case.ts'
import type { TransportHarness } from '../transport/transport-harness.ts'
import { examples } from './examples/index.ts'
import type { Surrounding } from './operation-case.ts'
import { casesFor } from './operation-cases.ts'
import { openWorld, type World } from './world.ts'

/** Where the operations are examined: over any storage, by any way in. */
export interface OperationHarness {
  /** Opens a storage that is empty and migrated; closed with the run. */
  openStorage(): Promise<Storage>
  readonly transport: TransportHarness
  /**
   * Only the cases that examine this, for where the same engine is examined whole over something else. Default: all.
   */
  readonly only?: Surrounding | undefined
}

/** The cases of a conformance run, and its end. */
export interface OperationConformance {
  readonly cases: readonly ConformanceCase[]
  /** Ends what the cases share, after the last of them. */
  close(): Promise<void>
}

/**
 * Every operation, examined by what its card says: it succeeds and answers as declared, wants a token, refuses what
 * is hostile, and ends in no other error than the declared ones, each of which is reached.
 *
 * All cases share one engine; each makes what it needs in it, so that they may run in any order, or at the same time.
 *
 * @example
 * ```ts
 * import { createMemoryStorage } from '@halyard/storage-memory'
 * import { inProcess, operationConformance } from '@halyard/conformance'
 *
 * const { cases, close } = operationConformance({ openStorage: async () => createMemoryStorage(), transport: inProcess })
 * // In a test file: for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
 * await cases.find(({ group }) => group === 'getTeam')?.run()
 * await close()
 * ```
 */
export function operationConformance({ openStorage, transport, only }: OperationHarness): OperationConformance {
  let shared: Promise<World> | undefined
  const open = () => (shared ??= openStorage().then((storage) => openWorld(transport, storage, examples)))
  // Only the table of this one is read; nothing in it is opened.
  const { operations } = createEngine({ storage: createMemoryStorage() })
  const cases = operations.flatMap((operation) =>
    Object.entries(casesFor(operation, transport))
      .filter(([, { examines }]) => only === undefined || examines.includes(only))
      .map(([name, { run }]) => ({ group: operation.id, name, run: async () => run(await open(), operation) })),
  )
  return { cases, close: async () => (await shared)?.close() }
}
