import { compareCodePoints, type StoredRecord } from '@halyard/core/storage'
import type { Cabinet, Drawer, Kept, Kind } from './cabinet.ts'
import { compareSamples } from './read-samples.ts'
import { compareTasks } from './take-tasks.ts'

const chunkSize = 1000
const kinds: readonly Kind[] = ['document', 'member', 'sample', 'task']

/** Returns everything of an account in the order that the storage contract requires; tasks have no leases. */
export function dumpRecords(cabinet: Cabinet): StoredRecord[][] {
  const drawers = [...cabinet.drawers()].sort(compareDrawers)
  return drawers.flatMap(({ records }) => chunksOf([...records].sort(compareRecords).map(withoutLease)))
}

function compareDrawers(a: Drawer<Kind>, b: Drawer<Kind>): number {
  const byName = compareCodePoints(a.name, b.name)
  const byScope = compareCodePoints(a.scope, b.scope)
  return (
    kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || (a.kind === 'document' ? byName || byScope : byScope || byName)
  )
}

/** Compares two records of one partition, each with its id. */
function compareRecords([idA, a]: readonly [string, Kept], [idB, b]: readonly [string, Kept]): number {
  if (a.kind === 'sample' && b.kind === 'sample') return compareSamples(a.sample, b.sample)
  if (a.kind === 'task' && b.kind === 'task') return compareTasks(a, b)
  return compareCodePoints(idA, idB)
}

function withoutLease([, { takes, leasedUntil, ...record }]: readonly [string, Kept]): StoredRecord {
  return record
}

function chunksOf(records: readonly StoredRecord[]): StoredRecord[][] {
  const chunks: StoredRecord[][] = []
  for (let start = 0; start < records.length; start += chunkSize) chunks.push(records.slice(start, start + chunkSize))
  return chunks
}
