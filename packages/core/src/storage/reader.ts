import type { Documents, Keys, Members, Queue, Series, Versioned } from './collection.ts'
import type { Condition, Fields, NewestQuery, Order, Sample, SampleColumns, Task } from './port.ts'
import type { StorageReads } from './reads.ts'
import { bodyOf } from './stored-body.ts'

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

/** What a handler of a reading operation may ask of storage. */
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

  scan<A extends string>(
    series: Series<A>,
    keys: Keys<A>,
    range: { from: number; to: number; labels?: readonly string[]; columns: number },
  ): Promise<SampleColumns>
  newest<A extends string>(series: Series<A>, keys: Keys<A>, page: Omit<NewestQuery, 'series'>): Promise<Sample[]>

  /** What is still to be done, in the order of `at`, then id, after the cursor. */
  listTasks<A extends string>(
    queue: Queue<A>,
    keys: Keys<A>,
    page: { limit: number; after?: { at: number; id: string } },
  ): Promise<Task[]>
}

/** The reading half alone: what an operation that only reads is handed, so that it cannot write. */
export function reader(storage: StorageReads): Reader {
  return {
    async get(collection, keys) {
      return bodyOf(collection, await storage.get(collection.id(keys)))
    },
    async getMany(collection, keys) {
      if (keys.length === 0) return []
      const found = await storage.getMany(keys.map((one) => collection.id(one)))
      return found.map((document) => bodyOf(collection, document))
    },
    async list(collection, scope, options) {
      const page = await storage.list(listQuery(collection, scope, options, 'bodies'))
      const { items, total = 0 } = page
      return {
        items: items.flatMap((item) => bodyOf(collection, item) ?? []),
        keys: items.map(({ key }) => key),
        total,
      }
    },
    async listRows(collection, scope, options) {
      const page = await storage.list(listQuery(collection, scope, options, 'fields'))
      return { items: page.items, total: page.total ?? 0 }
    },
    hasMember: (set, keys, member) => storage.hasMember(set.id(keys), member),
    async findMembers(set, keys, members) {
      return members.length === 0 ? [] : storage.findMembers(set.id(keys), members)
    },
    countMembers: (set, keys) => storage.countMembers(set.id(keys)),
    countOthers: (set, keys, without, withoutKeys) => storage.countMembers(set.id(keys), without.id(withoutKeys)),
    pageMembers: (set, keys, page) => storage.pageMembers(set.id(keys), page),
    scan: (series, keys, range) => storage.scan({ series: series.id(keys), ...range }),
    newest: (series, keys, page) => storage.newest({ series: series.id(keys), ...page }),
    listTasks: (queue, keys, page) => storage.listTasks(queue.id(keys), page),
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
