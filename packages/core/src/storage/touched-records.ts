import type { Change, DocumentId, Touched } from './port.ts'

/** Maximum number of documents of one scope that are listed one by one. */
const maxListed = 100

/**
 * Returns what a batch changes, for the invalidation of caches. A long run of documents of one collection and scope is
 * reported as that collection instead of one by one.
 */
export function touchedBy(batch: readonly Change[]): Touched[] {
  const touched: Touched[] = []
  for (let at = 0; at < batch.length; ) {
    const end = endOfRun(batch, at)
    const first = batch[at]
    if (end - at > maxListed && first && isWrite(first)) {
      touched.push({ what: 'collection', collection: first.id.collection, scope: first.id.scope })
    } else touched.push(...batch.slice(at, end).flatMap(touchedByOne))
    at = end
  }
  return touched
}

/** Returns where a run of changes ends that are all about documents of one collection and scope. */
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

function touchedByOne(change: Change): Touched | Touched[] {
  switch (change.do) {
    case 'expect':
      return []
    case 'insert':
    case 'replace':
    case 'remove':
    case 'ensure':
    case 'discard':
      return { what: 'document', id: change.id }
    case 'discard-all':
      return { what: 'collection', collection: change.collection, scope: change.scope }
    case 'clear':
      return { what: 'scope', scope: change.scope }
    case 'add-members':
    case 'remove-members':
      return { what: 'members', set: change.set }
    case 'move-members':
      return [
        { what: 'members', set: change.from },
        { what: 'members', set: change.into },
      ]
    case 'append':
    case 'withdraw':
    case 'trim':
      return { what: 'samples', series: change.series }
    case 'enqueue':
    case 'finish':
    case 'postpone':
      return { what: 'tasks', queue: change.queue }
    case 'load':
      return { what: 'scope', scope: '' }
  }
}
