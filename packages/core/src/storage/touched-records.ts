import type { Change, DocumentId, TouchedRecords } from './port.ts'

/**
 * Maximum number of documents of one scope that are listed one by one. So many changed rows are read again by copies of
 * long lists (docs/decisions/0148-copy-the-rows-of-long-lists-in-memory.md).
 */
const maxListed = 1_000

/**
 * Returns the records that a batch changes, for the invalidation of caches. Many successive documents of one collection
 * and scope are reported as the whole collection in that scope.
 */
export function touchedBy(batch: readonly Change[]): TouchedRecords[] {
  const touched: TouchedRecords[] = []
  for (let index = 0; index < batch.length; ) {
    const end = endOfRun(batch, index)
    const first = batch[index]
    if (end - index > maxListed && first && isWrite(first)) {
      touched.push({ kind: 'collection', collection: first.id.collection, scope: first.id.scope })
    } else touched.push(...batch.slice(index, end).flatMap(touchedRecordsOf))
    index = end
  }
  return touched
}

/** Returns the end index of a run of changes of documents of one collection and scope. */
function endOfRun(batch: readonly Change[], start: number): number {
  const first = batch[start] as Change
  let end = start + 1
  if (!isWrite(first)) return end
  for (let next = batch[end]; next && isWrite(next) && isInSameScope(next.id, first.id); next = batch[end]) end++
  return end
}

function isWrite(change: Change): change is Extract<Change, { readonly id: DocumentId }> {
  return 'id' in change && change.do !== 'expect'
}

function isInSameScope(a: DocumentId, b: DocumentId): boolean {
  return a.collection === b.collection && a.scope === b.scope
}

function touchedRecordsOf(change: Change): TouchedRecords | TouchedRecords[] {
  switch (change.do) {
    case 'expect':
    case 'run-statement':
      return []
    case 'insert':
    case 'replace':
    case 'remove':
    case 'ensure':
    case 'discard':
      return { kind: 'document', id: change.id }
    case 'discard-all':
      return { kind: 'collection', collection: change.collection, scope: change.scope }
    case 'clear':
      return { kind: 'scope', scope: change.scope }
    case 'add-keys':
    case 'remove-keys':
      return { kind: 'keys', set: change.set }
    case 'move-keys':
      return [
        { kind: 'keys', set: change.from },
        { kind: 'keys', set: change.into },
      ]
    case 'append':
    case 'delete-samples':
    case 'trim':
      return { kind: 'samples', series: change.series }
    case 'enqueue':
    case 'finish':
    case 'postpone':
      return { kind: 'tasks', queue: change.queue }
    case 'load':
      return { kind: 'scope', scope: '' }
  }
}
