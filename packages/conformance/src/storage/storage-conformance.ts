import type { Storage } from '@halyard/core/storage'
import { commitCases } from './commits.ts'
import { concurrentReadCases } from './concurrent-reads.ts'
import { conditionCases } from './conditions.ts'
import type { ConformanceCase, StorageCaseContext, StorageCases } from './conformance-case.ts'
import { documentCases } from './documents.ts'
import { dumpCases } from './dumps.ts'
import { durabilityCases } from './durability.ts'
import { isolationCases } from './isolation.ts'
import { keySetCases } from './key-sets.ts'
import { lifecycleCases } from './lifecycle.ts'
import { listCases } from './lists.ts'
import { quotaLeaseCases } from './quota-leases.ts'
import { randomListCases } from './random-lists.ts'
import { randomTaskCases } from './random-tasks.ts'
import { sampleRemovalCases } from './sample-removal.ts'
import { sampleTermCases } from './sample-terms.ts'
import { sampleCases } from './samples.ts'
import { scaleCases } from './scale.ts'
import { scopeCases } from './scopes.ts'
import { statementCases, transactionNumberCases } from './statements.ts'
import { taskChangeCases } from './task-changes.ts'
import { taskDumpCases } from './task-dumps.ts'
import { taskRaceCases } from './task-races.ts'
import { taskCases } from './tasks.ts'
import { watchingCases } from './watching.ts'
import { watchingSecondStorageCases } from './watching-second-storage.ts'

/** The functions that the author of an adapter provides. The harness closes what it opened after the last case. */
export interface StorageHarness {
  /** Opens a storage that is empty, migrated and independent of the storages opened before. */
  open(): Promise<Storage>
  /**
   * Ends a storage, by `close` or by force, and opens the same data again. Omitted for a storage that does not persist
   * data; the suite then has no durability cases.
   */
  reopen?(storage: Storage): Promise<Storage>
  /**
   * Opens the data of a storage of `open` a second time, as another process would, while the first stays open. Omitted
   * when only one process can open the data; the suite then has no cases in which two storages notify each other.
   */
  openSecond?(storage: Storage): Promise<Storage>
  /**
   * The reason why the storage has no `watch`, for readers of the harness. When it is set, the suite has no watch
   * cases.
   */
  readonly watchUnsupportedReason?: string
}

const groups: readonly StorageCases[] = [
  documentCases,
  scopeCases,
  listCases,
  conditionCases,
  randomListCases,
  keySetCases,
  sampleCases,
  sampleRemovalCases,
  taskCases,
  taskChangeCases,
  randomTaskCases,
  taskRaceCases,
  sampleTermCases,
  concurrentReadCases,
  commitCases,
  isolationCases,
  dumpCases,
  taskDumpCases,
  quotaLeaseCases,
  statementCases,
  transactionNumberCases,
  scaleCases,
  lifecycleCases,
]

/**
 * Returns the rules of the storage port as cases for any test runner.
 *
 * Cases may run in any order, or at the same time. Most cases share one storage and use an account of their own in it,
 * so that a storage that is slow to open is opened only a few times. The cases of `scale` take seconds on a slow
 * storage.
 *
 * @param harness opens the storage to be examined.
 *
 * @example
 * ```ts
 * import { createMemoryStorage } from '@halyard/storage-memory'
 * import { storageConformance } from '@halyard/conformance'
 *
 * const cases = storageConformance({ open: async () => createMemoryStorage() })
 * // In a test file: for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
 * await cases.find(({ group }) => group === 'documents')?.run()
 * console.log(cases.length > 100) // true
 * ```
 */
export function storageConformance(harness: StorageHarness): ConformanceCase[] {
  let shared: Promise<Storage> | undefined
  const openShared = () => (shared ??= harness.open())
  const includedGroups = [
    ...groups,
    ...(harness.reopen ? [durabilityCases] : []),
    ...(harness.watchUnsupportedReason ? [] : [watchingCases]),
    ...(harness.openSecond && !harness.watchUnsupportedReason ? [watchingSecondStorageCases] : []),
  ]
  return includedGroups.flatMap(({ group, cases }) =>
    Object.entries(cases).map(([name, runCase]) => ({
      name,
      group,
      run: async () => runCase(createCaseContext(harness, await openShared(), `${group}: ${name}`)),
    })),
  )
}

function createCaseContext(harness: StorageHarness, storage: Storage, caseName: string): StorageCaseContext {
  const accountNamed = (name: string) => storage.account(`${caseName} / ${name}`)
  return {
    storage,
    account: accountNamed('main'),
    accountNamed,
    open: () => harness.open(),
    reopen: harness.reopen?.bind(harness),
    openSecond: harness.openSecond?.bind(harness),
  }
}
