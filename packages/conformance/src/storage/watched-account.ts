import { type AccountStorage, type DocumentId, isUnder, type Touched, type Watching } from '@halyard/core/storage'
import { assert } from './assert.ts'

type Told = readonly Touched[] | 'anything'

/** An account that is watched, and what was told since the last look. */
export interface WatchedAccount extends Watching {
  /** What was told since it was asked the last time. */
  told(): Told[]
}

/** Watches an account, and waits until all is told. */
export async function watched(account: AccountStorage): Promise<WatchedAccount> {
  let told: Told[] = []
  const watching = account.watch?.((touched) => told.push(touched)) ?? assert.fail('the storage cannot be watched')
  await until(() => watching.live(), 'it is never live')
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

/** Waits until something holds, at most five seconds. */
export async function until(holds: () => boolean, complaint: string): Promise<void> {
  const deadline = performance.now() + 5000
  while (!holds()) {
    if (performance.now() > deadline) assert.fail(complaint)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Whether what was told says that something was touched: itself, or what it is part of. */
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
