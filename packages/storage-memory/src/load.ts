import type { StoredRecord } from '@halyard/core/storage'
import type { AccountData } from './account-data.ts'
import { deepFreeze, freezeBody } from './deep-freeze.ts'
import { addKeys } from './key-set.ts'
import { appendSamples } from './samples.ts'

/** Stores records as they are, and returns the number of records. None of them may exist already. */
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
