import { type AccountStorage, type DocumentId, isUnder, type Touched, type Watching } from '@halyard/core/storage'
import { assert } from './assert.ts'

type ChangeEvent = readonly Touched[] | 'anything'

/** An account that is watched, with the change events that have arrived. */
export interface WatchedAccount extends Watching {
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

/** Returns whether the events report a change of something, by itself or by a part of the account that contains it. */
export function reports(events: readonly ChangeEvent[], expected: Touched): boolean {
  return events.some((touched) => touched === 'anything' || touched.some((part) => covers(part, expected)))
}

function covers(event: Touched, expected: Touched): boolean {
  if (event.what === 'scope') return isUnder(scopeOf(expected), event.scope)
  if (event.what === 'collection' && expected.what === 'document') return collectionContains(event, expected.id)
  return JSON.stringify(addressOf(event)) === JSON.stringify(addressOf(expected))
}

function collectionContains(event: Extract<Touched, { what: 'collection' }>, id: DocumentId): boolean {
  return event.collection === id.collection && isUnder(id.scope, event.scope)
}

function scopeOf(touched: Touched): string {
  return addressOf(touched)[1]
}

function addressOf(touched: Touched): readonly [what: string, scope: string, ...rest: string[]] {
  const { what } = touched
  switch (what) {
    case 'document':
      return [what, touched.id.scope, touched.id.collection, touched.id.key]
    case 'collection':
      return [what, touched.scope, touched.collection]
    case 'scope':
      return [what, touched.scope]
    case 'members':
      return [what, touched.set.scope, touched.set.name]
    case 'samples':
      return [what, touched.series.scope, touched.series.name]
    case 'tasks':
      return [what, touched.queue.scope, touched.queue.name]
  }
}
