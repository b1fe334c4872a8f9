import type { Versioned } from './collection.ts'
import type { Reader } from './reader.ts'
import type { Tally, Writer } from './writer.ts'

/**
 * A writer whose writes go nowhere: it shows whether something could be done, by doing it with nothing at stake.
 *
 * @param tx what is read; nothing that the rehearsal writes is seen by it.
 */
export function rehearsal(tx: Reader): Writer {
  const written = <T extends Versioned>(_collection: unknown, _keys: unknown, before: T, after: T): T => ({
    ...after,
    version: before.version + 1,
  })
  const nothing = () => undefined
  const none = (): Tally => ({ count: 0 })
  return {
    ...tx,
    insert: (_collection, _keys, document) => ({ ...document, version: 1 }) as never,
    replace: written,
    follow: written,
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
    trim: none,
    enqueue: none,
    finish: nothing,
    postpone: nothing,
  }
}
