import { actionsToChange, type ChangedDocument, WrittenDocuments } from './changed-document.ts'
import { type Documents, type Keys, type Versioned, withVersion } from './collection.ts'
import { DocumentMap } from './document-map.ts'
import type { DocumentId } from './port.ts'
import type { Reader } from './reader.ts'
import type { Tally, Writer } from './writer.ts'

/** The writes of a dry run. */
export interface DryRunWrites {
  /** Each change with the actions that it would need (docs/decisions/0002-decide-access-by-policy.md#d17-actions). */
  readonly changed: ChangedDocument[]
  /** Each document before and after the dry run. */
  readonly written: WrittenDocuments
}

/** Returns an empty record of writes. */
export const noWrites = (): DryRunWrites => ({ changed: [], written: new WrittenDocuments() })

/**
 * Returns a writer that stores nothing: code that runs on it shows whether a change would be refused.
 *
 * @param tx source of reads; it does not include what the dry run writes.
 * @param writes receives the writes.
 */
export function dryRunWriter(tx: Reader, writes: DryRunWrites = noWrites()): Writer {
  return {
    ...readsOf(tx),
    ...writesTo(writes),
    // A dry run decides on the reads of its caller: nothing is committed, so nothing has to be current.
    getManyCurrent: (...input) => tx.getMany(...input),
    listCurrentRows: (...input) => tx.listRows(...input),
    stage: async (work) => work(dryRunWriter(tx)),
  }
}

/**
 * Returns a reader that gets documents as they would be after a dry run. Lists do not include the writes of the dry
 * run.
 *
 * @param writes the writes of a dry run over `tx`.
 */
export function readerAfter(tx: Reader, { written }: Pick<DryRunWrites, 'written'>): Reader {
  const documents = new DocumentMap<Versioned | undefined>()
  for (const { collection, keys, after } of written.list()) documents.set(collection.id(keys), after)
  // Cast: a document is stored under the id of its own collection.
  const afterRun = <T extends Versioned>(id: DocumentId, stored: T | undefined): T | undefined =>
    documents.has(id) ? (documents.get(id) as T | undefined) : stored
  return {
    ...readsOf(tx),
    get: async (collection, keys) => afterRun(collection.id(keys), await tx.get(collection, keys)),
    getMany: async (collection, keys) =>
      (await tx.getMany(collection, keys)).map((stored, index) =>
        afterRun(collection.id(keys[index] as (typeof keys)[number]), stored),
      ),
  }
}

/** Returns the methods of a reader as own properties of an object, because a class has them on its prototype. */
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

function writesTo({
  changed,
  written,
}: DryRunWrites): Omit<Writer, keyof Reader | 'getManyCurrent' | 'listCurrentRows' | 'stage'> {
  const store = <T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    before: T | undefined,
    after: T,
  ): T => {
    const document = { ...after, version: (before?.version ?? 0) + 1 }
    // A default of version 0 is not stored.
    const stored = before?.version === 0 ? undefined : before
    written.add(collection.id(keys), { collection, keys, before: stored, after: document })
    return document
  }
  const nothing = () => undefined
  const emptyTally = (): Tally => ({ count: 0 })
  return {
    insert: (collection, keys, document) => store(collection, keys, undefined, withVersion(document, 1)),
    replace(collection, keys, before, after, { seen = before, concernsCaller = false } = {}) {
      const actions = actionsToChange(collection, seen, before, after)
      if (!actions) return before
      changed.push({ collection, keys, before, seen, actions, concernsCaller })
      return store(collection, keys, before, after)
    },
    follow: store,
    requireAbsent: nothing,
    touch: (_collection, _keys, document) => ({ ...document, version: document.version + 1 }),
    ingest: (_collection, documents) => documents,
    remove: (collection, keys, before) =>
      written.add(collection.id(keys), { collection, keys, before, after: undefined }),
    ensure: nothing,
    discard: nothing,
    discardAll: nothing,
    note: nothing,
    describe: nothing,
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
