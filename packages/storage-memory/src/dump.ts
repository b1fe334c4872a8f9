import { compareCodePoints, type StoredRecord } from '@halyard/core/storage'
import type { AccountData } from './account-data.ts'
import { orderedKeys } from './key-set.ts'
import { orderedSamples } from './samples.ts'
import type { ScopedStore } from './scoped-store.ts'
import { orderedTasks } from './tasks.ts'

const chunkSize = 1000

/**
 * Yields everything that an account stores, in the order that the port prescribes.
 *
 * @param data a fork that no other code changes.
 */
export function* dumpRecords(data: AccountData): Generator<readonly StoredRecord[]> {
  for (const { name: collection, leaf } of sortedByNameAndScope(data.documents, 'name', 'scope')) {
    yield* chunks([...leaf.keys()].sort(compareCodePoints), (key) => {
      const { document, fields } = leaf.get(key)!
      const { scope, version, body } = document
      return { kind: 'document', id: { collection, scope, key }, version, body, fields }
    })
  }
  for (const { name, scope, leaf } of sortedByNameAndScope(data.sets, 'scope', 'name')) {
    const set = { name, scope }
    yield* chunks(orderedKeys(leaf), (key) => ({ kind: 'member', set, member: key }))
  }
  for (const { name, scope, leaf } of sortedByNameAndScope(data.series, 'scope', 'name')) {
    const series = { name, scope }
    yield* chunks(orderedSamples(leaf), (sample) => ({ kind: 'sample', series, sample }))
  }
  for (const { name, scope, leaf } of sortedByNameAndScope(data.queues.store, 'scope', 'name')) {
    const queue = { name, scope }
    yield* chunks(orderedTasks(leaf), (task) => ({ kind: 'task', queue, task }))
  }
}

type Part = 'name' | 'scope'

function sortedByNameAndScope<Leaf>(store: Pick<ScopedStore<Leaf>, 'all'>, first: Part, second: Part) {
  return store.all().sort((a, b) => compareCodePoints(a[first], b[first]) || compareCodePoints(a[second], b[second]))
}

function* chunks<Item>(items: readonly Item[], record: (item: Item) => StoredRecord): Generator<StoredRecord[]> {
  for (let start = 0; start < items.length; start += chunkSize) {
    yield items.slice(start, start + chunkSize).map(record)
  }
}
