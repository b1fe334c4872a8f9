import { type Operation, resources } from '@halyard/core/operations'
import type { Storage } from '@halyard/core/storage'
import type { ConformanceCase } from '../storage/conformance-case.ts'
import type { TransportHarness } from '../transport/transport-harness.ts'
import type { Example } from './example.ts'
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
  /** The account in which all cases run. Default: an account for each resource. */
  readonly account?: string | undefined
}

/** The cases of a conformance run, and a function that ends it. */
export interface OperationConformance {
  readonly cases: readonly ConformanceCase[]
  /** Closes the engines and the storage that the cases share. Call it after the last case. */
  close(): Promise<void>
}

/**
 * Tests every operation against its definition: it succeeds with the declared response, requires a token, rejects
 * hostile input, and fails with its declared errors only. Each declared error occurs in some case.
 *
 * The cases of one resource share an engine and an account. In an account for the cases of all resources, each change
 * would also be sent to the webhooks that other cases made. Each case creates what it needs, so that the cases may run
 * in any order, or at the same time.
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
export function operationConformance({
  openStorage,
  transport,
  only,
  account,
}: OperationHarness): OperationConformance {
  let opened: Promise<Storage> | undefined
  const storage = () => (opened ??= openStorage())
  const shared = account === undefined ? undefined : lazyFixture(account, transport, storage)
  const fixtures = resources.map((_, index) => shared ?? lazyFixture(`account-${index}`, transport, storage))
  const cases = resources.flatMap(({ operations }, index) =>
    operations.flatMap((operation) =>
      Object.entries(casesFor(operation, transport))
        .filter(([, { covers }]) => only === undefined || covers.includes(only))
        .map(([name, { run, changesNothing }]) => ({
          group: operation.id,
          name,
          run: async () => {
            const fixture = await (fixtures[index] as LazyFixture).open()
            await run(changesNothing ? withSharedExample(fixture, operation) : fixture, operation)
          },
        })),
    ),
  )
  async function close(): Promise<void> {
    for (const fixture of new Set(fixtures)) await fixture.close()
    await (await opened)?.close()
  }
  return { cases, close }
}

const sharedExamples = new WeakMap<OperationFixture, Map<Operation, Promise<Example>>>()

/** Returns a fixture with one example of an operation for all cases that change nothing. */
function withSharedExample(fixture: OperationFixture, operation: Operation): OperationFixture {
  const shared = sharedExamples.get(fixture) ?? new Map<Operation, Promise<Example>>()
  sharedExamples.set(fixture, shared)
  return {
    ...fixture,
    exampleOf(other) {
      if (other !== operation) return fixture.exampleOf(other)
      const example = shared.get(operation) ?? fixture.exampleOf(operation)
      shared.set(operation, example)
      return example
    },
  }
}

interface LazyFixture {
  open(): Promise<OperationFixture>
  close(): Promise<void>
}

/** Opens a fixture in an account when the first case needs it. */
function lazyFixture(account: string, transport: TransportHarness, storage: () => Promise<Storage>): LazyFixture {
  let opened: Promise<OperationFixture> | undefined
  return {
    open: () =>
      (opened ??= storage().then((shared) => openOperationFixture(transport, withoutClose(shared), examples, account))),
    close: async () => (await opened)?.close(),
  }
}

/** Returns a storage that stays open for the other engines when one closes it. */
function withoutClose(storage: Storage): Storage {
  return {
    name: storage.name,
    migrate: () => storage.migrate(),
    ping: () => storage.ping(),
    close: async () => {},
    account: (name) => storage.account(name),
  }
}
