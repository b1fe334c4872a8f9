import { type Row, rowOf } from './adapter/row.ts'
import { allOf } from './adapter/row-conditions.ts'
import { rowOrder } from './adapter/row-order.ts'
import { compareCodePoints } from './code-point-order.ts'
import { commitOutcome } from './commit-outcome.ts'
import { keysAfter } from './overlay-storage.ts'
import {
  type AccountStorage,
  type Change,
  type DocumentId,
  type DocumentPage,
  isUnder,
  type ListedDocument,
  type ListQuery,
  type SetId,
} from './port.ts'

/** A storage that records commits. Its reads return the stored data with these commits applied. */
export interface LayeredStorage {
  readonly storage: AccountStorage
  /**
   * The changes of all commits, in order. Together they can be committed as one batch, which has the preconditions of
   * all commits.
   */
  readonly changes: readonly Change[]
}

/** Number of documents that a list reads when a change removes an unknown number of them. */
const everyDocument = 2 ** 31 - 1

/**
 * Wraps a storage so that commits are recorded and later reads of documents and keys return their result. Nothing is
 * stored. Samples and tasks are read as they are stored, because no handler reads samples or tasks that another call of
 * the same commit adds.
 */
export function layeredStorage(stored: AccountStorage): LayeredStorage {
  const changes: Change[] = []
  const layer = new DocumentLayer(stored)
  const keysOf = (set: SetId, requested: readonly string[] | 'all') => keysAfter(stored, changes, { set, requested })
  const countKeys: AccountStorage['countKeys'] = async (set, without) => {
    if (!changes.some(concernsKeys)) return stored.countKeys(set, without)
    const [keys, others] = [await keysOf(set, 'all'), without ? await keysOf(without, 'all') : new Set()]
    return [...keys].filter((key) => !others.has(key)).length
  }
  const storage: AccountStorage = {
    get: async (id) => (await layer.getMany([id]))[0],
    getMany: (ids) => layer.getMany(ids),
    list: (query) => layer.list(query),
    hasKey: async (set, key) => (await keysOf(set, [key])).has(key),
    findKeys: async (set, keys) => [...(await keysOf(set, keys))],
    countKeys,
    async pageKeys(set, page) {
      if (!changes.some(concernsKeys)) return stored.pageKeys(set, page)
      const { after, limit } = page
      const sorted = [...(await keysOf(set, 'all'))].sort(compareCodePoints)
      return sorted.filter((key) => after === undefined || compareCodePoints(key, after) > 0).slice(0, limit)
    },
    scan: (query) => stored.scan(query),
    newest: (query) => stored.newest(query),
    ...(stored.findSamples && { findSamples: stored.findSamples.bind(stored) }),
    listTasks: (queue, page) => stored.listTasks(queue, page),
    dump: () => stored.dump(),
    take: async () => [],
    async commit(batch) {
      const outcome = await commitOutcome(storage, batch)
      if (outcome.outcome !== 'committed') return outcome
      for (const change of batch) await layer.make(change)
      changes.push(...batch)
      return outcome
    },
  }
  return { storage, changes }
}

function concernsKeys({ do: verb }: Change): boolean {
  return verb === 'add-keys' || verb === 'remove-keys' || verb === 'move-keys' || verb === 'clear'
}

/** A document of the layer; `row` is undefined where a change removes it. */
interface LayerDocument {
  readonly id: DocumentId
  readonly row: Row | undefined
}

/** The documents that changes write and remove, in front of the documents of a storage. */
class DocumentLayer {
  readonly #stored: AccountStorage
  /** The written documents of each collection, by scope and key. */
  readonly #written = new Map<string, Map<string, LayerDocument>>()
  /** The scopes whose stored documents are removed. */
  readonly #cleared: string[] = []

  constructor(stored: AccountStorage) {
    this.#stored = stored
  }

  async getMany(ids: readonly DocumentId[]) {
    const stored = await this.#stored.getMany(ids)
    return ids.map((id, index) => {
      const written = this.#find(id)
      if (written) return written.row?.document
      return this.#isCleared(id.scope) ? undefined : stored[index]
    })
  }

  /** Makes one change of a commit. */
  async make(change: Change): Promise<void> {
    switch (change.do) {
      case 'insert':
        return this.#put(change.id, rowOf(change.id, 1, change))
      case 'replace':
        return this.#put(change.id, rowOf(change.id, change.version + 1, change))
      case 'ensure':
        if (!(await this.getMany([change.id]))[0]) this.#put(change.id, rowOf(change.id, 1, change))
        return
      case 'remove':
      case 'discard':
        return this.#put(change.id, undefined)
      case 'discard-all':
        return this.#removeAll(change)
      case 'clear':
        return this.#clear(change.scope)
    }
  }

  /**
   * Lists documents. Reads enough stored documents to fill a page after those that the layer replaces or deletes are
   * left out.
   */
  async list(query: ListQuery): Promise<DocumentPage> {
    const { collection, scope, deep, offset = 0, limit, order = [], where = [], select } = query
    const written = [...(this.#written.get(collection)?.values() ?? [])].filter(({ id }) => isListed(query, id.scope))
    const isCleared = this.#cleared.some((each) => isUnder(scope, each) || (deep && isUnder(each, scope)))
    if (written.length === 0 && !isCleared) return this.#stored.list(query)
    const rows = isCleared ? everyDocument : offset + limit + written.length
    const page = await this.#stored.list({
      ...query,
      offset: 0,
      limit: rows,
      count: query.count === true && !isCleared,
    })
    const retainedRows = page.items.filter((item) => this.#isKept(collection, item)).map(rowOfListed)
    const matches = allOf(where)
    const added = written.flatMap(({ row }) => (row && matches(row) ? [row] : []))
    const { read, compare } = rowOrder(order)
    const sorted = [...retainedRows, ...added].map(read).sort(compare)
    const items = sorted.slice(offset, offset + limit).map(({ row }) => listed(row, select))
    if (!query.count) return { items, total: undefined }
    if (isCleared) return { items, total: sorted.length }
    return { items, total: (page.total ?? 0) - (await this.#countReplaced(query, written)) + added.length }
  }

  /** Counts the stored documents that match a query and that the layer replaces or removes. */
  async #countReplaced({ collection, scope, deep, where = [] }: ListQuery, written: readonly LayerDocument[]) {
    if (written.length === 0) return 0
    const values = [...new Set(written.map(({ id }) => id.key))]
    const withKeys = { ...(deep && { deep }), where: [...where, { op: 'anyOf' as const, field: 'key', values }] }
    const { items } = await this.#stored.list({
      collection,
      scope,
      ...withKeys,
      limit: everyDocument,
      select: 'fields',
    })
    return items.filter((item) => !this.#isKept(collection, item)).length
  }

  /** Removes the documents that meet all conditions now. */
  async #removeAll({ collection, scope, where }: Extract<Change, { do: 'discard-all' }>): Promise<void> {
    const { items } = await this.list({ collection, scope, deep: true, where, limit: everyDocument, select: 'fields' })
    for (const item of items) this.#put({ collection, scope: item.scope, key: item.key }, undefined)
  }

  #clear(scope: string): void {
    this.#cleared.push(scope)
    for (const documents of this.#written.values()) {
      for (const { id } of documents.values()) if (isUnder(id.scope, scope)) this.#put(id, undefined)
    }
  }

  #put(id: DocumentId, row: Row | undefined): void {
    const documents = this.#written.get(id.collection) ?? new Map<string, LayerDocument>()
    this.#written.set(id.collection, documents.set(nameOf(id), { id, row }))
  }

  #find(id: DocumentId): LayerDocument | undefined {
    return this.#written.get(id.collection)?.get(nameOf(id))
  }

  #isKept(collection: string, { scope, key }: ListedDocument): boolean {
    return !this.#find({ collection, scope, key }) && !this.#isCleared(scope)
  }

  #isCleared(scope: string): boolean {
    return this.#cleared.some((cleared) => isUnder(scope, cleared))
  }
}

function nameOf({ scope, key }: Pick<DocumentId, 'scope' | 'key'>): string {
  return `${scope}\n${key}`
}

function isListed({ scope, deep }: ListQuery, documentScope: string): boolean {
  return deep ? isUnder(documentScope, scope) : documentScope === scope
}

function rowOfListed({ key, scope, version, fields, body }: ListedDocument): Row {
  return { document: { key, scope, version, body }, fields }
}

function listed({ document, fields }: Row, select: ListQuery['select']): ListedDocument {
  const { key, scope, version, body } = document
  return { key, scope, version, fields, body: select === 'bodies' ? body : undefined }
}
