import { type AccountStorage, type DocumentId, isUnder, type Touched, type Watching } from '@halyard/core/storage'
import { assert } from './assert.ts'

type Told = readonly Touched[] | 'anything'

/** An account that is watched, with the change events that have arrived. */
export interface WatchedAccount extends Watching {
  /** Returns the events that arrived since the last call. */
  told(): Told[]
}

/** Watches an account, and resolves when the watch is live. */
export async function watched(account: AccountStorage): Promise<WatchedAccount> {
  let told: Told[] = []
  const watching = account.watch?.((touched) => told.push(touched)) ?? assert.fail('the storage has no `watch`')
  await until(() => watching.live(), 'the watch never becomes live')
  told = []
  return {
    live: () => watching.live(),
    stop: () => watching.stop(),
    told() {
      const taken = told
      told = []
      return taken
    },
  }
}

/** Waits until a condition is true, at most five seconds. */
export async function until(holds: () => boolean, complaint: string): Promise<void> {
  const deadline = performance.now() + 5000
  while (!holds()) {
    if (performance.now() > deadline) assert.fail(complaint)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Returns whether the events report a change of something, by itself or by a part of the account that contains it. */
export function says(told: readonly Told[], wanted: Touched): boolean {
  return told.some((touched) => touched === 'anything' || touched.some((one) => covers(one, wanted)))
}

function covers(told: Touched, wanted: Touched): boolean {
  if (told.what === 'scope') return isUnder(scopeOf(wanted), told.scope)
  if (told.what === 'collection' && wanted.what === 'document') return holds(told, wanted.id)
  return JSON.stringify(addressOf(told)) === JSON.stringify(addressOf(wanted))
}

function holds(told: Extract<Touched, { what: 'collection' }>, id: DocumentId): boolean {
  return told.collection === id.collection && isUnder(id.scope, told.scope)
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
