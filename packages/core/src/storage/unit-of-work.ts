import { byPlace } from './by-place.ts'
import { actionsToChange, type ChangedDocument, isSame } from './changed-document.ts'
import type { Documents, Keys, Versioned } from './collection.ts'
import type { AccountStorage, Change, CommitOutcome, DocumentId, StoredDocument } from './port.ts'
import { type Reader, reader } from './reader.ts'
import type { StorageReads } from './reads.ts'
import { bodyOf, withVersion } from './stored-body.ts'
import type { NotedMembership, StageOptions, Tally, Writer } from './writer.ts'
import { type WrittenDocument, writtenDocuments } from './written-documents.ts'

export interface UnitOfWork extends Writer {
  readonly changed: readonly ChangedDocument[]
  /** What the unit did to documents that callers change. */
  written(): readonly WrittenDocument[]
  readonly noted: readonly NotedMembership[]
  /** Whether there is nothing to commit. */
  isEmpty(): boolean
  /** Commits all that was collected; a refused precondition is the returned value. */
  commit(): Promise<Exclude<CommitOutcome['outcome'], 'committed'> | undefined>
  /** Undoes what was staged, the last first. */
  takeBack(): Promise<void>
}

export interface UnitOptions {
  readonly reads?: StorageReads
  commit?(batch: readonly Change[]): Promise<CommitOutcome>
}

/**
 * Opens a unit of work on an account's storage. Nothing reaches storage before `commit`.
 *
 * @param way what is read through, and who commits. Default: the storage itself.
 */
export function unitOfWork(
  storage: AccountStorage,
  { reads = storage, commit = (batch) => storage.commit(batch) }: UnitOptions = {},
): UnitOfWork {
  const batch: Change[] = []
  const written = byPlace<Versioned | undefined>()
  const changed: ChangedDocument[] = []
  const onTaken = new Map<number, () => never>()
  const tallies = new Map<number, Tally>()
  const documents = writtenDocuments()
  const noted: NotedMembership[] = []
  const undoing: NonNullable<StageOptions['undo']>[] = []
  const seen = byPlace<Seen>()

  /** Asks for what was not seen yet: a unit sees each document once, so that all it decides stands on the same sight. */
  async function look(ids: readonly DocumentId[]): Promise<(StoredDocument | undefined)[]> {
    const unseen: DocumentId[] = []
    const asked: Asked = {}
    for (const id of ids) {
      if (seen.has(id)) continue
      seen.set(id, { asked, at: unseen.length })
      unseen.push(id)
    }
    if (unseen.length > 0) {
      asked.found = reads.getMany(unseen)
      // Most ask for what nobody has asked for: then the answer is theirs as it is.
      if (unseen.length === ids.length) return asked.found
    }
    return Promise.all(ids.map((id) => sightOf(seen.get(id))))
  }

  function write(change: Change & { id: DocumentId }, { collection, keys, before, after }: WrittenDocument): void {
    batch.push(change)
    written.set(change.id, after)
    documents.note(change.id, { collection, keys, before, after })
  }

  function tally(change: Change): Tally {
    const counted: Tally = { count: 0 }
    tallies.set(batch.length, counted)
    batch.push(change)
    return counted
  }

  function store<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    before: T | { readonly version: 0 },
    after: T,
  ): T {
    const id = collection.id(keys)
    const document: T = { ...after, version: before.version + 1 }
    const content = { id, body: document, fields: collection.fields(document) }
    const place = { collection, keys, after: document }
    if (before.version === 0) write({ do: 'insert', ...content }, { ...place, before: undefined })
    else write({ do: 'replace', version: before.version, ...content }, { ...place, before })
    return document
  }

  const unit: Omit<UnitOfWork, Exclude<keyof Reader, 'get' | 'getMany'>> = {
    isEmpty: () => batch.length === 0,
    changed,
    written: documents.list,
    noted,
    async get(collection, keys) {
      const id = collection.id(keys)
      if (written.has(id)) return bodyOf(collection, { body: written.get(id) })
      const [found] = await look([id])
      return bodyOf(collection, found)
    },
    async getMany(collection, keys) {
      const found = await look(keys.map((one) => collection.id(one)))
      return found.map((document) => bodyOf(collection, document))
    },
    insert(collection, keys, document, taken) {
      if (taken) onTaken.set(batch.length, taken)
      return store(collection, keys, { version: 0 }, withVersion(document, 1))
    },
    replace(collection, keys, before, after, { seen = before, besides = [] } = {}) {
      const actions = actionsToChange(collection, seen, before, after)
      if (!actions) return before
      changed.push({ collection, keys, before, actions: [...actions, ...besides] })
      return store(collection, keys, before, after)
    },
    follow(collection, keys, before, after) {
      return isSame(before, after) ? before : store(collection, keys, before, after)
    },
    feed(collection, fed) {
      const differing = fed.filter(({ before, after }) => !before || !isSame(before, after))
      for (const { keys, before, after } of differing) {
        const id = collection.id(keys)
        const document = withVersion(after, (before?.version ?? 0) + 1)
        const fields = collection.fields(document)
        // Member by member: to spread into an object that has members already takes several times as long.
        if (before) batch.push({ do: 'replace', id, version: before.version, body: document, fields })
        else batch.push({ do: 'insert', id, body: document, fields })
        written.set(id, document)
      }
      return differing
    },
    remove(collection, keys, before) {
      const change = { do: 'remove', id: collection.id(keys), version: before.version } as const
      write(change, { collection, keys, before, after: undefined })
    },
    ensure(collection, keys, given) {
      const document = withVersion(given, 1)
      batch.push({ do: 'ensure', id: collection.id(keys), body: document, fields: collection.fields(document) })
    },
    discard(collection, keys) {
      batch.push({ do: 'discard', id: collection.id(keys) })
    },
    discardAll({ name, address }, scope, where) {
      // Cast: the parameters of a scope are some of those of the address.
      batch.push({ do: 'discard-all', collection: name, scope: address.scopeAbove(scope as never), where })
    },
    note(collection, keys, document, membership) {
      noted.push({ collection, keys, document, ...membership })
    },
    expect(collection, keys, seen) {
      const id = collection.id(keys)
      // What the unit replaces is still the same by that alone.
      if (written.get(id)?.version === seen.version + 1) return
      batch.push({ do: 'expect', id, version: seen.version })
    },
    clear(address) {
      batch.push({ do: 'clear', scope: address })
    },
    addMembers: (set, keys, members) => tally({ do: 'add-members', set: set.id(keys), members }),
    removeMembers: (set, keys, members) => tally({ do: 'remove-members', set: set.id(keys), members }),
    moveMembers: (from, fromKeys, into, intoKeys, { replace = false } = {}) =>
      tally({ do: 'move-members', from: from.id(fromKeys), into: into.id(intoKeys), replace }),
    append: (series, keys, samples) => tally({ do: 'append', series: series.id(keys), samples }),
    withdraw: (series, keys, ids) => tally({ do: 'withdraw', series: series.id(keys), ids }),
    trim: (series, keys, before) => tally({ do: 'trim', series: series.id(keys), before }),
    enqueue: (queue, keys, tasks) => tally({ do: 'enqueue', queue: queue.id(keys), tasks }),
    finish(queue, keys, { id, takes }) {
      batch.push({ do: 'finish', queue: queue.id(keys), task: id, ...(takes === undefined ? {} : { takes }) })
    },
    postpone(queue, keys, { id, takes }, { due, body }) {
      batch.push({ do: 'postpone', queue: queue.id(keys), task: id, takes, due, body })
    },
    async stage(work, { undo, refused }) {
      const unit = unitOfWork(storage)
      const result = await work(unit)
      if (unit.changed.length + unit.written().length > 0) throw new Error('staged what callers change')
      // Before the commit: one that is cut off may have happened.
      if (undo) undoing.push(undo)
      if ((await unit.commit()) !== undefined) refused()
      seen.clear()
      return result
    },
    async takeBack() {
      for (const undo of undoing.splice(0).reverse()) {
        const unit = unitOfWork(storage)
        await undo(unit)
        await unit.commit()
      }
    },
    async commit() {
      if (batch.length === 0) return undefined
      const result = await commit(batch)
      if (result.outcome === 'committed') {
        for (const [index, counted] of tallies) counted.count = result.counts[index] ?? 0
        return undefined
      }
      if (result.outcome === 'exists') onTaken.get(result.change)?.()
      return result.outcome
    },
  }
  // Not by spreading: members that follow a spread one cost 2 µs each in Node 20, more than all else that a unit is.
  return Object.assign(reader(reads), unit)
}

/** Where an answer of storage has a document. */
interface Seen {
  readonly asked: Asked
  readonly at: number
}

/** One question to storage. */
interface Asked {
  found?: Promise<(StoredDocument | undefined)[]>
}

async function sightOf(seen: Seen | undefined): Promise<StoredDocument | undefined> {
  return seen && (await seen.asked.found)?.[seen.at]
}
