import type { Documents, Keys, Members, Queue, Series, Versioned } from './collection.ts'
import type { Condition, Fields, NewestQuery, Order, Sample, SampleColumns, Task } from './port.ts'
import type { StorageReads } from './reads.ts'

/** What an address without its last level needs: the scope that a list looks at. */
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
  /** Also the documents of all scopes under the one asked; inner levels of the address may then be left out. */
  readonly deep?: boolean
}

/** What a list needs to know where to look: the whole scope, or the outer part of it for a deep one. */
export type ListScope<A extends string, Options extends ListOptions> = Options extends { readonly deep: true }
  ? Partial<ScopeKeys<A>>
  : ScopeKeys<A>

export interface Listed<T> {
  readonly items: readonly T[]
  readonly total: number
}

/** A page of whole documents. */
export interface ListedDocuments<T> extends Listed<T> {
  /** The keys of the items in storage, in their order. */
  readonly keys: readonly string[]
}

/** A narrow row with the key it belongs to. */
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
  /** Many documents of one collection in one question; the answer has the order and length of `keys`. */
  getMany<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: readonly Keys<A>[],
  ): Promise<(T | undefined)[]>
  /** One page of whole documents, with the count of all that match. */
  list<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<ListedDocuments<T>>
  /** One page of narrow rows, with the count of all that match. */
  listRows<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<Listed<Row>>

  hasMember<A extends string>(set: Members<A>, keys: Keys<A>, member: string): Promise<boolean>
  /** Which of these are in, each once. */
  findMembers<A extends string>(set: Members<A>, keys: Keys<A>, members: readonly string[]): Promise<string[]>
  countMembers<A extends string>(set: Members<A>, keys: Keys<A>): Promise<number>
  /** How many members of a set are not in another one. */
  countOthers<A extends string, B extends string>(
    set: Members<A>,
    keys: Keys<A>,
    without: Members<B>,
    withoutKeys: Keys<B>,
  ): Promise<number>
  pageMembers<A extends string>(
    set: Members<A>,
    keys: Keys<A>,
    page: { after?: string; limit: number },
  ): Promise<string[]>

  scan<A extends string>(series: Series<A>, keys: Keys<A>, range: ScanRange): Promise<SampleColumns>
  newest<A extends string>(series: Series<A>, keys: Keys<A>, page: Omit<NewestQuery, 'series'>): Promise<Sample[]>

  /** The waiting tasks after the cursor, in the order of `at`, then id. */
  listTasks<A extends string>(queue: Queue<A>, keys: Keys<A>, page: TaskPage): Promise<Task[]>
}

/** Reads typed collections from a storage. A handler of a reading operation receives one, and so cannot write. */
export class StorageReader implements Reader {
  readonly #reads: StorageReads

  constructor(reads: StorageReads) {
    this.#reads = reads
  }

  async get<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>): Promise<T | undefined> {
    return (await this.#reads.get(collection.id(keys)))?.body as never
  }

  async getMany<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: readonly Keys<A>[],
  ): Promise<(T | undefined)[]> {
    if (keys.length === 0) return []
    const documents = await this.#reads.getMany(keys.map((each) => collection.id(each)))
    return documents.map((document) => document?.body) as never
  }

  async list<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<ListedDocuments<T>> {
    const { items, total = 0 } = await this.#reads.list(listQuery(collection, scope, options, 'bodies'))
    return { items: items.map((item) => item.body) as never, keys: items.map(({ key }) => key), total }
  }

  async listRows<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<Listed<Row>> {
    const page = await this.#reads.list(listQuery(collection, scope, options, 'fields'))
    return { items: page.items, total: page.total ?? 0 }
  }

  hasMember<A extends string>(set: Members<A>, keys: Keys<A>, member: string): Promise<boolean> {
    return this.#reads.hasMember(set.id(keys), member)
  }

  async findMembers<A extends string>(set: Members<A>, keys: Keys<A>, members: readonly string[]): Promise<string[]> {
    return members.length === 0 ? [] : this.#reads.findMembers(set.id(keys), members)
  }

  countMembers<A extends string>(set: Members<A>, keys: Keys<A>): Promise<number> {
    return this.#reads.countMembers(set.id(keys))
  }

  countOthers<A extends string, B extends string>(
    set: Members<A>,
    keys: Keys<A>,
    without: Members<B>,
    withoutKeys: Keys<B>,
  ): Promise<number> {
    return this.#reads.countMembers(set.id(keys), without.id(withoutKeys))
  }

  pageMembers<A extends string>(
    set: Members<A>,
    keys: Keys<A>,
    page: { after?: string; limit: number },
  ): Promise<string[]> {
    return this.#reads.pageMembers(set.id(keys), page)
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
  scope: object,
  options: ListOptions,
  select: 'fields' | 'bodies',
) {
  const { address } = collection
  // A scope has every parameter of the address but the last, and that one is not read here.
  return {
    collection: collection.name,
    scope: options.deep ? address.scopeAbove(scope as never) : address.scope(scope as never),
    count: true,
    select,
    ...options,
  }
}
