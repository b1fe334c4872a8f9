import type { Operation } from '@halyard/core/operations'
import type { Sample } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import type { Operation as PatchOperation } from 'fast-json-patch'
import { inProcessHarness } from '../../transport/in-process-harness.ts'
import { examples } from '../examples/index.ts'
import { openOperationFixture } from '../operation-fixture.ts'
import { type LoggedState, type StoredDocument, stateOf } from './logged-state.ts'
import { impliedParts, type ShownDocument, shownDocument } from './shown-documents.ts'

/** One change of an entry, as callers receive it. */
export interface ShownChange {
  readonly resource: string
  readonly kind: string
  readonly patch: PatchOperation[]
  readonly inverse: PatchOperation[]
  readonly members?: object
}

/** An entry of the change log, as callers receive it. */
export interface ShownEntry {
  readonly name: string
  readonly titleVerb: string
  readonly title: string
  readonly description: string
  readonly accesses: readonly { readonly action: string; readonly resource: string }[]
  readonly delta: readonly ShownChange[]
}

/** The effect of the example of an operation. */
export interface DescribedChange {
  /** The change log entry of the example; undefined when the example writes no entry. */
  readonly entry: ShownEntry | undefined
  readonly before: LoggedState
  readonly after: LoggedState
  /** The responses that show each document, before and after the change. */
  readonly shownBefore: ReadonlyMap<string, unknown>
  readonly shownAfter: ReadonlyMap<string, unknown>
  /** Returns the response that shows a document now. */
  show(document: Pick<StoredDocument, 'collection' | 'keys' | 'body'>): Promise<ShownDocument>
  /** Calls an operation; fails when its response is not a success. */
  call(id: string, input: object): Promise<unknown>
  close(): Promise<void>
}

/** Returns the operations that change something. */
export async function writingOperations(): Promise<readonly Operation[]> {
  const fixture = await openOperationFixture(inProcessHarness, createMemoryStorage(), examples)
  await fixture.close()
  return fixture.engine.operations.filter(({ method }) => method !== 'GET')
}

/** Calls an operation with its example in a new account, and reads all documents before and after it. */
export async function describedChange(operation: Operation): Promise<DescribedChange> {
  const storage = createMemoryStorage()
  const account = storage.account('default')
  const fixture = await openOperationFixture(inProcessHarness, storage, examples)
  const newest = async (): Promise<Sample | undefined> =>
    (await account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 1 }))[0]
  const showAll = async (state: LoggedState) => {
    const values = new Map<string, unknown>()
    for (const document of state.values()) {
      const parts = impliedParts[document.collection.name] ?? []
      for (const each of [document, ...parts.map((name) => ({ ...document, collection: { name } }))]) {
        const { at, response } = await shownDocument(fixture, each)
        values.set(at, response)
      }
    }
    return values
  }
  const example = await fixture.exampleOf(operation)
  const before = await stateOf(account)
  const shownBefore = await showAll(before)
  const latest = await newest()
  await fixture.call(operation.id, example)
  const hasEntry = (await newest())?.id !== latest?.id
  const { items } = await fixture.call<{ items: ShownEntry[] }>('listChangeLog', { query: { limit: '1' } })
  const after = await stateOf(account)
  return {
    entry: hasEntry ? items[0] : undefined,
    before,
    after,
    shownBefore,
    shownAfter: await showAll(after),
    show: (document) => shownDocument(fixture, document),
    call: (id, input) => fixture.call(id, input),
    close: () => fixture.close(),
  }
}
