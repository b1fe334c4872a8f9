import { operationConformance } from '@halyard/conformance'
import type { Storage } from '@halyard/core/storage'
import { afterAll, describe, it } from 'vitest'
import { transportHarnesses } from '../transport-harnesses.ts'
import { longTests } from './long-tests.ts'
import type { selectClientCases } from './runs-all-cases.ts'

interface OpenedStorages {
  open(): Promise<Storage>
  dispose(): Promise<void> | void
}

/**
 * Runs the conformance suite of operations on a kind of storage over one transport. The suite runs completely on memory
 * storage, so that here only the cases that depend on the storage run, except in long test runs.
 *
 * @param transport name of a harness.
 * @param select returns the cases that run. Default: all.
 */
export function testOperations(
  storages: OpenedStorages,
  transport: string,
  select: typeof selectClientCases = (cases) => cases,
): void {
  for (const harness of transportHarnesses.filter(({ name }) => name === transport)) {
    describe(harness.name, () => {
      const onlyPart = longTests ? undefined : 'storage'
      const { cases, close } = operationConformance({ openStorage: storages.open, transport: harness, only: onlyPart })
      afterAll(async () => {
        await close()
        await storages.dispose()
      })
      for (const { group, name, run } of select(cases)) it(`${group}: ${name}`, run)
    })
  }
}
