import type { Storage } from '@halyard/core/storage'
import { commitCases } from './commits.ts'
import { conditionCases } from './conditions.ts'
import type { ConformanceCase, StorageCases, StorageStage } from './conformance-case.ts'
import { documentCases } from './documents.ts'
import { dumpCases } from './dumps.ts'
import { durabilityCases } from './durability.ts'
import { isolationCases } from './isolation.ts'
import { lifecycleCases } from './lifecycle.ts'
import { listCases } from './lists.ts'
import { memberCases } from './members.ts'
import { randomListCases } from './random-lists.ts'
import { randomTaskCases } from './random-tasks.ts'
import { sampleRemovalCases } from './sample-removal.ts'
import { sampleTermCases } from './sample-terms.ts'
import { sampleCases } from './samples.ts'
import { scaleCases } from './scale.ts'
import { scopeCases } from './scopes.ts'
import { shareCases } from './shares.ts'
import { taskChangeCases } from './task-changes.ts'
import { taskDumpCases } from './task-dumps.ts'
import { taskRaceCases } from './task-races.ts'
import { taskCases } from './tasks.ts'
import { togetherCases } from './together.ts'
import { watchingCases } from './watching.ts'
import { watchingEachOtherCases } from './watching-each-other.ts'

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
   * where only one process can open the data; the suite then has no cases in which two storages notify each other.
   */
  openBeside?(storage: Storage): Promise<Storage>
  /**
   * The reason why the storage has no `watch`, for readers of the harness. When it is set, the suite has no watch
   * cases.
   */
  readonly unwatched?: string
}

const groups: readonly StorageCases[] = [
  documentCases,
  scopeCases,
  listCases,
  conditionCases,
  randomListCases,
  memberCases,
  sampleCases,
  sampleRemovalCases,
  taskCases,
  taskChangeCases,
  randomTaskCases,
  taskRaceCases,
  sampleTermCases,
  togetherCases,
  commitCases,
  isolationCases,
  dumpCases,
  taskDumpCases,
  shareCases,
  scaleCases,
  lifecycleCases,
]

/**
 * All that the storage port promises, as cases for any test runner:
 *
 * Cases may run in any order, or at the same time. Most share one storage, each in an account of its own, so that a
 * storage which is slow to open is opened a few times only. The cases of `scale` take seconds on a slow storage.
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
  const all = [
    ...groups,
    ...(harness.reopen ? [durabilityCases] : []),
    ...(harness.unwatched ? [] : [watchingCases]),
    ...(harness.openBeside && !harness.unwatched ? [watchingEachOtherCases] : []),
  ]
  return all.flatMap(({ group, cases }) =>
    Object.entries(cases).map(([name, steps]) => ({
      name,
      group,
      run: async () => steps(setStage(harness, await openShared(), `${group}: ${name}`)),
    })),
  )
}

function setStage(harness: StorageHarness, storage: Storage, caseName: string): StorageStage {
  const accountNamed = (name: string) => storage.account(`${caseName} / ${name}`)
  return {
    storage,
    account: accountNamed('main'),
    accountNamed,
    open: () => harness.open(),
    reopen: harness.reopen?.bind(harness),
    openBeside: harness.openBeside?.bind(harness),
  }
}
