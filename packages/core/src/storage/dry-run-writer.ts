import { actionsToChange, type ChangedDocument } from './changed-document.ts'
import { type Versioned, withVersion } from './collection.ts'
import type { Reader } from './reader.ts'
import type { Tally, Writer } from './writer.ts'

/**
 * Returns a writer that stores nothing: code that runs on it shows whether a change would be refused.
 *
 * @param tx source of reads; it does not include what the dry run writes.
 * @param changed receives each change with the actions that it would need
 *   (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
 */
export function dryRunWriter(tx: Reader, changed: ChangedDocument[] = []): Writer {
  return { ...readsOf(tx), ...writesTo(changed), stage: async (work) => work(dryRunWriter(tx)) }
}

/** Returns the methods of a reader, which may be those of a class, as an object's own. */
function readsOf(tx: Reader): Reader {
  return {
    get: (...input) => tx.get(...input),
    getMany: (...input) => tx.getMany(...input),
    list: (...input) => tx.list(...input),
    listRows: (...input) => tx.listRows(...input),
    listUnder: (...input) => tx.listUnder(...input),
    hasKey: (...input) => tx.hasKey(...input),
    findKeys: (...input) => tx.findKeys(...input),
    countKeys: (...input) => tx.countKeys(...input),
    countOthers: (...input) => tx.countOthers(...input),
    pageKeys: (...input) => tx.pageKeys(...input),
    scan: (...input) => tx.scan(...input),
    newest: (...input) => tx.newest(...input),
    listTasks: (...input) => tx.listTasks(...input),
  }
}

function writesTo(changed: ChangedDocument[]): Omit<Writer, keyof Reader | 'stage'> {
  const written = <T extends Versioned>(_collection: unknown, _keys: unknown, before: T, after: T): T => ({
    ...after,
    version: before.version + 1,
  })
  const nothing = () => undefined
  const emptyTally = (): Tally => ({ count: 0 })
  return {
    insert: (_collection, _keys, document) => withVersion(document, 1),
    replace(collection, keys, before, after, { seen = before, additionalActions = [] } = {}) {
      const actions = actionsToChange(collection, seen, before, after)
      if (!actions) return before
      changed.push({ collection, keys, before, actions: [...actions, ...additionalActions] })
      return written(collection, keys, before, after)
    },
    follow: written,
    ingest: (_collection, documents) => documents,
    remove: nothing,
    ensure: nothing,
    discard: nothing,
    discardAll: nothing,
    note: nothing,
    expect: nothing,
    clear: nothing,
    addKeys: emptyTally,
    removeKeys: emptyTally,
    moveKeys: emptyTally,
    append: emptyTally,
    deleteSamples: emptyTally,
    trim: emptyTally,
    enqueue: emptyTally,
    finish: nothing,
    postpone: nothing,
  }
}
