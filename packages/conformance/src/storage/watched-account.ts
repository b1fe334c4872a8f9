import {
  type AccountStorage,
  type DocumentId,
  isUnder,
  type StorageWatch,
  type TouchedRecords,
} from '@halyard/core/storage'
import { assert } from './assert.ts'

type ChangeEvent = readonly TouchedRecords[] | 'anything'

/** An account that is watched, with the change events that have arrived. */
export interface WatchedAccount extends StorageWatch {
  /** Returns the events that arrived since the last call. */
  takeEvents(): ChangeEvent[]
}

/** Watches an account, and resolves when the watch is live. */
export async function watchAccount(account: AccountStorage): Promise<WatchedAccount> {
  let events: ChangeEvent[] = []
  const watching = account.watch?.((touched) => events.push(touched)) ?? assert.fail('the storage has no `watch`')
  await waitUntil(() => watching.live(), 'the watch never becomes live')
  events = []
  return {
    live: () => watching.live(),
    stop: () => watching.stop(),
    takeEvents() {
      const taken = events
      events = []
      return taken
    },
  }
}

/** Waits until a condition is true, at most five seconds. */
export async function waitUntil(condition: () => boolean, message: string): Promise<void> {
  const deadline = performance.now() + 5000
  while (!condition()) {
    if (performance.now() > deadline) assert.fail(message)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/**
 * Returns true when the events report a change of a record, by itself or as part of a scope or collection that contains
 * it.
 */
export function reports(events: readonly ChangeEvent[], expected: TouchedRecords): boolean {
  return events.some((touched) => touched === 'anything' || touched.some((part) => covers(part, expected)))
}

function covers(event: TouchedRecords, expected: TouchedRecords): boolean {
  if (event.kind === 'scope') return isUnder(scopeOf(expected), event.scope)
  if (event.kind === 'collection' && expected.kind === 'document') return collectionContains(event, expected.id)
  return JSON.stringify(addressOf(event)) === JSON.stringify(addressOf(expected))
}

function collectionContains(event: Extract<TouchedRecords, { kind: 'collection' }>, id: DocumentId): boolean {
  return event.collection === id.collection && isUnder(id.scope, event.scope)
}

function scopeOf(touched: TouchedRecords): string {
  return addressOf(touched)[1]
}

function addressOf(touched: TouchedRecords): readonly [what: string, scope: string, ...rest: string[]] {
  const { kind: what } = touched
  switch (what) {
    case 'document':
      return [what, touched.id.scope, touched.id.collection, touched.id.key]
    case 'collection':
      return [what, touched.scope, touched.collection]
    case 'scope':
      return [what, touched.scope]
    case 'keys':
      return [what, touched.set.scope, touched.set.name]
    case 'samples':
      return [what, touched.series.scope, touched.series.name]
    case 'tasks':
      return [what, touched.queue.scope, touched.queue.name]
  }
}
