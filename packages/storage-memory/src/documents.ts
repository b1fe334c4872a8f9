import {
  allOf,
  type Condition,
  type DocumentId,
  type DocumentPage,
  type Fields,
  type ListedDocument,
  type ListQuery,
  ListViews,
  pauses,
  type Row,
  type StoredDocument,
} from '@halyard/core/storage'
import { createScopedStore, type LeafKind, type ScopedStore } from './scoped-store.ts'

/** Number of rows of a page that are listed at a time, which takes less than a millisecond. */
const rowsOfStep = 4096

/** The documents of one collection in one scope, by key. */
type Bucket = Map<string, Row>

const bucketKind: LeafKind<Bucket> = {
  create: () => new Map(),
  copy: (rows) => new Map(rows),
  size: (rows) => rows.size,
}

/** The documents of an account, with the lists of them that were read last. */
export class Documents {
  readonly #buckets: ScopedStore<Bucket>
  readonly #lists = new ListViews({ pauses })

  constructor(buckets: ScopedStore<Bucket> = createScopedStore(bucketKind)) {
    this.#buckets = buckets
  }

  /** Returns the stored document itself, which is frozen, or undefined. */
  find({ collection, scope, key }: DocumentId): StoredDocument | undefined {
    return this.#buckets.find(collection, scope)?.get(key)?.document
  }

  /** Returns one page of a collection, in a total order. */
  async list(query: ListQuery): Promise<DocumentPage> {
    const { offset = 0, limit, count, select } = query
    const rows = await this.#lists.rowsOf(this.#buckets, query)
    const page = rows.slice(offset, offset + limit)
    const total = count ? rows.length : undefined
    const items: ListedDocument[] = []
    const pause = page.length > rowsOfStep ? pauses() : undefined
    for (const row of page) {
      items.push(listedDocument(row, select))
      if (pause && items.length % rowsOfStep === 0) await pause()
    }
    return { items, total }
  }

  /** Returns the rows of each collection and scope, in no particular order. */
  all() {
    return this.#buckets.all()
  }

  /**
   * Inserts or replaces a document.
   *
   * @param content body and fields, deeply frozen.
   */
  put(
    { collection, scope, key }: DocumentId,
    version: number,
    content: { readonly body: unknown; readonly fields: Fields },
  ): void {
    const rows = this.#buckets.edit(collection, scope)
    const before = rows.get(key)
    const document = Object.freeze({ key, scope, version, body: content.body })
    const after = { document, fields: content.fields }
    rows.set(key, after)
    this.#lists.record(collection, { before, after })
  }

  /** Removes a document that exists. */
  remove({ collection, scope, key }: DocumentId): void {
    const rows = this.#buckets.edit(collection, scope)
    this.#lists.record(collection, { before: rows.get(key), after: undefined })
    rows.delete(key)
  }

  /**
   * Removes the documents of a collection, at and under a scope, that meet all conditions.
   *
   * @returns the number of documents removed.
   */
  removeAll({ collection, scope, where }: { collection: string; scope: string; where: readonly Condition[] }): number {
    const matches = allOf(where)
    const rows = this.#buckets.under(collection, scope).flatMap((bucket) => [...bucket.values()].filter(matches))
    for (const { document } of rows) this.remove({ collection, scope: document.scope, key: document.key })
    return rows.length
  }

  /** Removes all documents at and under a scope, and returns the number of documents removed. */
  clear(scope: string): number {
    return this.#buckets.clear(scope, (collection, rows) => this.#lists.recordRemoved(collection, rows))
  }

  /** Makes a copy-on-write copy of the documents: a part is copied when either of the two first changes it. */
  fork(): Documents {
    return new Documents(this.#buckets.fork())
  }
}

function listedDocument({ document, fields }: Row, select: ListQuery['select']): ListedDocument {
  const { key, scope, version, body } = document
  return { key, scope, version, fields, body: select === 'bodies' ? body : undefined }
}
