import {
  bodyOf,
  type Documents,
  type KeySets,
  type Keys,
  type Queue,
  type Series,
  type Versioned,
} from './collection.ts'
import type { Condition, Fields, ListedDocument, NewestQuery, Order, Sample, SampleColumns, Task } from './port.ts'
import type { StorageReads } from './reads.ts'

/** The keys of an address without its last level: the scope of a list. */
export type ScopeKeys<Address extends string> = Keys<ParentAddress<Address>>

type ParentAddress<A extends string> = A extends `${infer Head}:${infer Rest}`
  ? Rest extends `${string}:${string}`
    ? `${Head}:${ParentAddress<Rest>}`
    : Head
  : ''

export interface ListOptions {
  readonly where?: readonly Condition[]
  readonly order?: readonly Order[]
  readonly limit: number
  readonly offset?: number
  /**
   * Includes the documents of all scopes under the scope of the list; inner levels of the address may then be omitted.
   */
  readonly deep?: boolean
  /** False when the number of all matching documents is not needed; the total is then 0. Default: true. */
  readonly count?: boolean
}

/** The scope of a list: the whole scope, or the outer part of it for a deep list. */
export type ListScope<A extends string, Options extends ListOptions> = Options extends { readonly deep: true }
  ? Partial<ScopeKeys<A>>
  : ScopeKeys<A>

export interface ListResult<T> {
  readonly items: readonly T[]
  readonly total: number
}

/** A page of whole documents. */
export interface ListedDocuments<T> extends ListResult<T> {
  /** The keys of the items in storage, in their order. */
  readonly keys: readonly string[]
}

/** A document without its body: its key, scope and version, and its indexed fields. */
export interface Row {
  readonly key: string
  readonly scope: string
  readonly version: number
  readonly fields: Fields
}

/** The samples of a half-open range of time: integer ms, UTC. */
export interface ScanRange {
  readonly from: number
  readonly to: number
  readonly labels?: readonly string[]
  readonly columns: number
}

/** A page of tasks after a cursor. */
export interface TaskPage {
  readonly limit: number
  readonly after?: { readonly at: number; readonly id: string }
}

/** The reads of a handler, typed by collection. */
export interface Reader {
  get<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>): Promise<T | undefined>
  /** Reads many documents of one collection in one request; the result has the order and length of `keys`. */
  getMany<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: readonly Keys<A>[],
  ): Promise<(T | undefined)[]>
  /** Reads one page of whole documents, with the count of all that match. */
  list<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<ListedDocuments<T>>
  /** Reads one page of narrow rows, with the count of all that match. */
  listRows<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<ListResult<Row>>

  /** Reads documents of a collection at and under a scope, regardless of their keys, in the order of scope and key. */
  listUnder<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    scope: string,
    options: { readonly where?: readonly Condition[]; readonly limit: number },
  ): Promise<readonly ListedDocument[]>

  hasKey<A extends string>(set: KeySets<A>, keys: Keys<A>, key: string): Promise<boolean>
  /** Returns which of these keys the set has, each once. */
  findKeys<A extends string>(set: KeySets<A>, keys: Keys<A>, elements: readonly string[]): Promise<string[]>
  countKeys<A extends string>(set: KeySets<A>, keys: Keys<A>): Promise<number>
  /** Counts the keys of a set that another set does not have. */
  countOthers<A extends string, B extends string>(
    set: KeySets<A>,
    keys: Keys<A>,
    without: KeySets<B>,
    withoutKeys: Keys<B>,
  ): Promise<number>
  pageKeys<A extends string>(set: KeySets<A>, keys: Keys<A>, page: { after?: string; limit: number }): Promise<string[]>

  scan<A extends string>(series: Series<A>, keys: Keys<A>, range: ScanRange): Promise<SampleColumns>
  newest<A extends string>(series: Series<A>, keys: Keys<A>, page: Omit<NewestQuery, 'series'>): Promise<Sample[]>

  /** Reads the waiting tasks after the cursor, in the order of `at`, then id. */
  listTasks<A extends string>(queue: Queue<A>, keys: Keys<A>, page: TaskPage): Promise<Task[]>
}

/** Reads typed collections from a storage. A handler of a reading operation receives one, and so cannot write. */
export class StorageReader implements Reader {
  readonly #reads: StorageReads

  constructor(reads: StorageReads) {
    this.#reads = reads
  }

  async get<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>): Promise<T | undefined> {
    return bodyOf(collection, await this.#reads.get(collection.id(keys)))
  }

  async getMany<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: readonly Keys<A>[],
  ): Promise<(T | undefined)[]> {
    if (keys.length === 0) return []
    const documents = await this.#reads.getMany(keys.map((each) => collection.id(each)))
    return documents.map((document) => bodyOf(collection, document))
  }

  async list<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<ListedDocuments<T>> {
    const { items, total = 0 } = await this.#reads.list(listQuery(collection, scope, options, 'bodies'))
    const documents: T[] = []
    for (const item of items) {
      const document = bodyOf(collection, item)
      if (document) documents.push(document)
    }
    return { items: documents, keys: items.map(({ key }) => key), total }
  }

  async listRows<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<ListResult<Row>> {
    const page = await this.#reads.list(listQuery(collection, scope, options, 'fields'))
    return { items: page.items, total: page.total ?? 0 }
  }

  async listUnder<T extends Versioned, A extends string>(
    { name }: Documents<T, A>,
    scope: string,
    options: { readonly where?: readonly Condition[]; readonly limit: number },
  ): Promise<readonly ListedDocument[]> {
    // Narrow rows are read first, because there are usually no documents, and because a storage can combine lists
    // without bodies that are requested together into one query.
    const { items } = await this.#reads.list({ collection: name, scope, deep: true, select: 'fields', ...options })
    if (items.length === 0) return []
    const documents = await this.#reads.getMany(
      items.map(({ key, scope: own }) => ({ collection: name, scope: own, key })),
    )
    return items.flatMap((item, index) => {
      const document = documents[index]
      return document ? [{ ...item, version: document.version, body: document.body }] : []
    })
  }

  hasKey<A extends string>(set: KeySets<A>, keys: Keys<A>, key: string): Promise<boolean> {
    return this.#reads.hasKey(set.id(keys), key)
  }

  async findKeys<A extends string>(set: KeySets<A>, keys: Keys<A>, elements: readonly string[]): Promise<string[]> {
    return elements.length === 0 ? [] : this.#reads.findKeys(set.id(keys), elements)
  }

  countKeys<A extends string>(set: KeySets<A>, keys: Keys<A>): Promise<number> {
    return this.#reads.countKeys(set.id(keys))
  }

  countOthers<A extends string, B extends string>(
    set: KeySets<A>,
    keys: Keys<A>,
    without: KeySets<B>,
    withoutKeys: Keys<B>,
  ): Promise<number> {
    return this.#reads.countKeys(set.id(keys), without.id(withoutKeys))
  }

  pageKeys<A extends string>(
    set: KeySets<A>,
    keys: Keys<A>,
    page: { after?: string; limit: number },
  ): Promise<string[]> {
    return this.#reads.pageKeys(set.id(keys), page)
  }

  scan<A extends string>(series: Series<A>, keys: Keys<A>, range: ScanRange): Promise<SampleColumns> {
    return this.#reads.scan({ series: series.id(keys), ...range })
  }

  newest<A extends string>(series: Series<A>, keys: Keys<A>, page: Omit<NewestQuery, 'series'>): Promise<Sample[]> {
    return this.#reads.newest({ series: series.id(keys), ...page })
  }

  listTasks<A extends string>(queue: Queue<A>, keys: Keys<A>, page: TaskPage): Promise<Task[]> {
    return this.#reads.listTasks(queue.id(keys), page)
  }
}

function listQuery<T extends Versioned, A extends string>(
  collection: Documents<T, A>,
  scope: Readonly<Partial<Record<string, string>>>,
  options: ListOptions,
  select: 'fields' | 'bodies',
) {
  const { address } = collection
  // A scope has every parameter of the address but the last, which is not read here.
  const keys = scope as Keys<A>
  return {
    collection: collection.name,
    scope: options.deep ? address.scopeAbove(keys) : address.scope(keys),
    count: true,
    select,
    ...options,
  }
}
