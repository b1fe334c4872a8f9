import { compareCodePoints, type StoredRecord } from '@halyard/core/storage'
import type { RecordStore, Partition, RecordWithLease, Kind } from './record-store.ts'
import { compareSamples } from './read-samples.ts'
import { compareTasks } from './take-tasks.ts'

const chunkSize = 1000
const kinds: readonly Kind[] = ['document', 'member', 'sample', 'task']

/** Returns everything of an account in the order that the storage contract requires; tasks have no leases. */
export function dumpRecords(store: RecordStore): StoredRecord[][] {
  const partitions = [...store.partitions()].sort(comparePartitions)
  return partitions.flatMap(({ records }) => chunksOf([...records].sort(compareRecords).map(withoutLease)))
}

function comparePartitions(a: Partition<Kind>, b: Partition<Kind>): number {
  const byName = compareCodePoints(a.name, b.name)
  const byScope = compareCodePoints(a.scope, b.scope)
  return (
    kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || (a.kind === 'document' ? byName || byScope : byScope || byName)
  )
}

/** Compares two records of one partition, each with its id. */
function compareRecords(
  [idA, a]: readonly [string, RecordWithLease],
  [idB, b]: readonly [string, RecordWithLease],
): number {
  if (a.kind === 'sample' && b.kind === 'sample') return compareSamples(a.sample, b.sample)
  if (a.kind === 'task' && b.kind === 'task') return compareTasks(a, b)
  return compareCodePoints(idA, idB)
}

function withoutLease([, { takes, leasedUntil, ...record }]: readonly [string, RecordWithLease]): StoredRecord {
  return record
}

function chunksOf(records: readonly StoredRecord[]): StoredRecord[][] {
  const chunks: StoredRecord[][] = []
  for (let start = 0; start < records.length; start += chunkSize) chunks.push(records.slice(start, start + chunkSize))
  return chunks
}
