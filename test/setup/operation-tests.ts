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
 * storage. Here only the cases that depend on the storage run, and a third of those in which requests are repeated or
 * fail, except in long test runs.
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
      for (const { group, name, run } of select(longTests ? cases : someOperations(cases))) it(`${group}: ${name}`, run)
    })
  }
}

/** Returns the cases of success of all operations, and all cases of every third operation. */
function someOperations<Case extends { readonly group: string; readonly name: string }>(
  cases: readonly Case[],
): readonly Case[] {
  const operations = [...new Set(cases.map(({ group }) => group))]
  const whole = new Set(operations.filter((_, index) => index % 3 === 0))
  return cases.filter(({ group, name }) => whole.has(group) || name.startsWith('succeeds'))
}
