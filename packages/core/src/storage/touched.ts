import type { Change, Touched } from './port.ts'

/** What a batch changes, for those who remember what was there. */
export function touchedBy(batch: readonly Change[]): Touched[] {
  return batch.flatMap(touchedByOne)
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
