import { isUnder, type StoredRecord } from '@halyard/core/storage'
import type { AccountData } from './account-data.ts'
import { deepFreeze, freezeBody } from './deep-freeze.ts'
import { addKeys } from './key-set.ts'
import { appendSamples } from './samples.ts'

/** Stores records as they are and returns their number. None of them may exist already. */
export function loadRecords(
  { documents, sets, series, queues }: AccountData,
  records: readonly StoredRecord[],
): number {
  for (const record of records) {
    switch (record.kind) {
      case 'document':
        documents.put(record.id, record.version, record)
        break
      case 'member':
        addKeys(sets.edit(record.set.name, record.set.scope), [record.member])
        break
      case 'sample':
        appendSamples(series.edit(record.series.name, record.series.scope), [record.sample])
        break
      case 'task':
        queues.enqueue(record.queue, [record.task])
        break
    }
  }
  return records.length
}

/** Freezes the content of records before the first of them is stored. */
export function freezeRecords(records: readonly StoredRecord[]): void {
  for (const record of records) {
    if (record.kind === 'document') {
      freezeBody(record.body)
      deepFreeze(record.fields)
    }
    if (record.kind === 'sample') deepFreeze(record.sample)
    if (record.kind === 'task') deepFreeze(record.task)
  }
}

/**
 * Returns true when a record that is not a document exists already, or occurs twice in the batch.
 *
 * @param batch `seen`: identities of the batch's records so far, to which this record's is added; `cleared`: scopes
 *   that
 *   the batch has cleared before.
 */
export function isTaken(
  { sets, series, queues }: AccountData,
  record: StoredRecord,
  { seen, cleared }: { readonly seen: Set<string>; readonly cleared: readonly string[] },
): boolean {
  const isTaken = (kind: string, { name, scope }: { name: string; scope: string }, id: string, exists?: boolean) => {
    const before = seen.size
    seen.add(JSON.stringify([kind, name, scope, id]))
    return (exists === true && !cleared.some((clearedScope) => isUnder(scope, clearedScope))) || seen.size === before
  }
  switch (record.kind) {
    case 'document':
      return false
    case 'member': {
      const { set, member: key } = record
      return isTaken('member', set, key, sets.find(set.name, set.scope)?.keys.has(key))
    }
    case 'sample': {
      const { id } = record.sample
      return isTaken('sample', record.series, id, series.find(record.series.name, record.series.scope)?.ids.has(id))
    }
    case 'task': {
      const { id } = record.task
      return isTaken(
        'task',
        record.queue,
        id,
        queues.byScope.find(record.queue.name, record.queue.scope)?.tasks.has(id),
      )
    }
  }
}
