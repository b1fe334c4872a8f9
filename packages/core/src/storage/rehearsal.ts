import { actionsToChange, type ChangedDocument } from './changed-document.ts'
import type { Versioned } from './collection.ts'
import type { Reader } from './reader.ts'
import { withVersion } from './stored-body.ts'
import type { Tally, Writer } from './writer.ts'

/**
 * A writer whose writes go nowhere: it shows whether something could be done, by doing it with nothing at stake.
 *
 * @param tx what is read; nothing that the rehearsal writes is seen by it.
 * @param changed receives each change with the actions that it would need (D17).
 */
export function rehearsal(tx: Reader, changed: ChangedDocument[] = []): Writer {
  const written = <T extends Versioned>(_collection: unknown, _keys: unknown, before: T, after: T): T => ({
    ...after,
    version: before.version + 1,
  })
  const nothing = () => undefined
  const none = (): Tally => ({ count: 0 })
  return {
    ...tx,
    insert: (_collection, _keys, document) => withVersion(document, 1),
    replace(collection, keys, before, after, { seen = before, besides = [] } = {}) {
      const actions = actionsToChange(collection, seen, before, after)
      if (!actions) return before
      changed.push({ collection, keys, before, actions: [...actions, ...besides] })
      return written(collection, keys, before, after)
    },
    follow: written,
    feed: (_collection, fed) => fed,
    remove: nothing,
    ensure: nothing,
    discard: nothing,
    discardAll: nothing,
    note: nothing,
    expect: nothing,
    clear: nothing,
    addMembers: none,
    removeMembers: none,
    moveMembers: none,
    stage: async (work) => work(rehearsal(tx)),
    append: none,
    withdraw: none,
    trim: none,
    enqueue: none,
    finish: nothing,
    postpone: nothing,
  }
}
