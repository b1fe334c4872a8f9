import { fail } from '../../operation/errors.ts'
import type { Row } from '../../storage/adapter/row.ts'
import { allOf } from '../../storage/adapter/row-conditions.ts'
import { rowOrder } from '../../storage/adapter/row-order.ts'
import type { StoredCollection, Versioned } from '../../storage/collection.ts'
import type { AccountStorage, DocumentId, DocumentPage, ListQuery, StoredDocument } from '../../storage/port.ts'
import type { CollectionOf } from '../back-ups/collection-of.ts'
import type { ChangeHistory } from './change-history.ts'
import { type Moment, type MomentName, refuseMoment } from './moment.ts'
import { undoChanges, withheldBy } from './past-change.ts'

/** The inputs of a storage of a past state. */
export interface PastParts {
  readonly stored: AccountStorage
  readonly history: ChangeHistory
  readonly collectionOf: CollectionOf
  /** Names of the collections whose documents the change log does not list when they are created. */
  readonly unlogged: ReadonlySet<string>
  readonly moment: Moment
  /** Name of the moment in error messages. */
  readonly name: MomentName
}

/** Number of times that a list is read again, because its documents were changed while it was read. */
const maxAttempts = 10

/** Maximum number of documents of a list whose creation the change log does not contain. */
const maxUnlogged = 1_000_000

/** The documents of an account as they were at a moment. */
export class PastDocuments {
  readonly #parts: PastParts

  constructor(parts: PastParts) {
    this.#parts = parts
  }

  async getMany(ids: readonly DocumentId[]): Promise<(StoredDocument | undefined)[]> {
    const { stored, history, moment, name } = this.#parts
    const documents = await stored.getMany(ids)
    // The history is read after the documents, so that it includes all changes that the documents contain.
    await history.reach(moment, name)
    return ids.map((id, index) => this.before(id, documents[index]))
  }

  async list(query: ListQuery): Promise<DocumentPage> {
    const { history, moment, name } = this.#parts
    await history.reach(moment, name)
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const count = history.countOf(query.collection)
      const page = await this.#listOnce(query)
      await history.reach(moment, name)
      if (history.countOf(query.collection) === count) return page
    }
    return fail('service_unavailable', {
      explanation: `${query.collection}: documents change faster than lists are read`,
    })
  }

  /** Returns a document in its past state, computed from the stored document or its absence. */
  before(id: DocumentId, document: StoredDocument | undefined): StoredDocument | undefined {
    const { history, collectionOf, moment, name } = this.#parts
    const changes = history.changesOf(id, moment)
    const collection = collectionOf(id)
    // Casts: collections that the change log lists contain documents with a version.
    const undone = undoChanges(document?.body as Versioned | undefined, changes)
    if (!undone.ok) {
      if (!collection?.recorded) return undefined
      return refuseMoment(
        name,
        `must be later: the change log does not contain all changes of ${id.collection} ${id.key}`,
      )
    }
    const body = undone.document
    if (!body || isLater(collection, body, moment)) return undefined
    if (body === document?.body) return document
    return { key: id.key, scope: id.scope, version: body.version, body }
  }

  /** Returns the names of the secrets that a document lacks, because it was deleted since. */
  withheld(id: DocumentId): readonly string[] {
    return withheldBy(this.#parts.history.changesOf(id, this.#parts.moment))
  }

  async #listOnce(query: ListQuery): Promise<DocumentPage> {
    const { stored, history, moment, unlogged } = this.#parts
    const changed = history.changedIn(query, moment)
    const isUnlogged = unlogged.has(query.collection)
    if (changed.length === 0 && !isUnlogged) return stored.list(query)
    const { limit, offset = 0, where = [], order = [] } = query
    const page = await stored.list(
      isUnlogged
        ? { ...query, where: [], order: [], select: 'bodies', limit: maxUnlogged, offset: 0, count: false }
        : { ...query, limit: offset + limit + changed.length, offset: 0 },
    )
    const current = await stored.getMany(changed)
    const matches = allOf(where)
    const matching = (documents: readonly (StoredDocument | undefined)[]) =>
      documents
        .flatMap((document) => document ?? [])
        .map((document) => this.#rowOf(query, document))
        .filter(matches)
    const retainedRows = this.#unchangedRows(query, page, changed).filter((row) => !isUnlogged || matches(row))
    const added = matching(changed.map((id, index) => this.before(id, current[index])))
    const { read, compare } = rowOrder(order)
    const rows = [...retainedRows, ...added].map(read).sort(compare)
    const total = () => (isUnlogged ? retainedRows.length : (page.total ?? 0) - matching(current).length) + added.length
    return {
      items: rows.slice(offset, offset + limit).map(({ row: { document, fields } }) => ({
        ...document,
        fields,
        body: query.select === 'bodies' ? document.body : undefined,
      })),
      total: query.count ? total() : undefined,
    }
  }

  /** Returns the listed documents that did not change since the moment and existed then. */
  #unchangedRows({ collection }: ListQuery, { items }: DocumentPage, changed: readonly DocumentId[]): Row[] {
    const isChanged = new Set(changed.map(documentName))
    return items.flatMap(({ fields, ...document }): Row[] => {
      const id = { collection, scope: document.scope, key: document.key }
      if (isChanged.has(documentName(id))) return []
      return !this.#parts.unlogged.has(collection) || this.before(id, document) ? [{ document, fields }] : []
    })
  }

  #rowOf({ collection }: ListQuery, document: StoredDocument): Row {
    const { scope, key, body } = document
    // Cast: the documents of collections that the change log lists have a version.
    return { document, fields: this.#parts.collectionOf({ collection, scope, key })?.fields(body as Versioned) ?? {} }
  }
}

function isLater(collection: StoredCollection | undefined, body: Versioned, { time }: Moment): boolean {
  const createdAt = collection?.createdAt?.(body)
  return createdAt !== undefined && createdAt > time
}

/** Returns a text that identifies a document. */
export function documentName({ collection, scope, key }: DocumentId): string {
  return `${collection}\n${scope}\n${key}`
}
