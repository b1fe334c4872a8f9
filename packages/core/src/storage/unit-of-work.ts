import { jsonEqual } from '../rules/json-equal.ts'
import type { ChangeActions, Documents, Keys, Members, Series, Versioned } from './collection.ts'
import type {
  AccountStorage,
  Change,
  CommitOutcome,
  Condition,
  DocumentId,
  Fields,
  Order,
  Sample,
  SampleColumns,
  StoredDocument,
} from './port.ts'
import { type WrittenDocument, writtenDocuments } from './written-documents.ts'

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
  newest<A extends string>(
    series: Series<A>,
    keys: Keys<A>,
    page: { limit: number; before?: { at: number; id: string }; labels?: readonly string[] },
  ): Promise<Sample[]>
}

/**
 * What a handler of a writing operation may do besides. Writes are collected and committed together when the
 * handler is done; reads show what was committed before, `get` also what this unit has written itself.
 */
export interface Writer extends Reader {
  /**
   * Adds a document; its version is 1.
   *
   * @param taken ends the operation when a document is there already.
   */
  insert<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: Omit<T, 'version'>,
    taken?: () => never,
  ): T
  /**
   * Replaces a document by a changed one; the caller needs the action of each member that differs (D17).
   * Where nothing but book-keeping differs nothing is written. A `before` of version 0 stands for a document that
   * is not stored yet because it still has its default.
   *
   * @returns the document as it will be stored.
   */
  replace<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    before: T,
    after: T,
    otherwise?: ReplaceOptions<T>,
  ): T
  /** Like `replace`, for a change that follows from another one which the caller was allowed to make. */
  follow<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, before: T, after: T): T
  remove<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, before: T): void
  /** Adds a document that nobody changes, unless it is there already. The change log is told of it by `note`. */
  ensure<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: Omit<T, 'version'>,
  ): void
  /** Removes a document that nobody changes, if it is there. */
  discard<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>): void
  /**
   * Removes, at the moment of the commit, every document that nobody changes, at and under a scope, for which all
   * conditions hold: also one that somebody adds until then, which a list could not have named.
   *
   * @param scope inner levels of the address may be left out.
   */
  discardAll<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    scope: Partial<ScopeKeys<A>>,
    where: readonly Condition[],
  ): void
  /** Tells the change log what came to a thing or left it where no document shows it. */
  note<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: T,
    membership: Membership,
  ): void
  /** Makes the whole unit fail unless this document still has the version that was seen when it commits. */
  expect<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, seen: Versioned): void
  /** Removes everything that lives under an address, such as `proj/web:env/production`. */
  clear(address: string): void

  addMembers<A extends string>(set: Members<A>, keys: Keys<A>, members: readonly string[]): Tally
  removeMembers<A extends string>(set: Members<A>, keys: Keys<A>, members: readonly string[]): Tally
  /** Empties a set into another one, which has them alone afterwards where `replace` says so. */
  moveMembers<A extends string, B extends string>(
    from: Members<A>,
    fromKeys: Keys<A>,
    into: Members<B>,
    intoKeys: Keys<B>,
    options?: { readonly replace?: boolean },
  ): Tally
  append<A extends string>(series: Series<A>, keys: Keys<A>, samples: readonly Sample[]): Tally

  /**
   * Commits a unit of its own at once, long before this one: for what comes as a stream and is too long to be held. It
   * may write only what nobody is shown (nothing that callers change), until this unit makes it count.
   * See docs/decisions/uploads-are-staged.md.
   *
   * @throws Error when it writes what callers change: a defect of the card.
   */
  stage<R>(work: (tx: Writer) => R | Promise<R>, options: StageOptions): Promise<R>
}

export interface StageOptions {
  /** Ends the operation when the staged unit is refused. */
  refused(): never
  /** Takes it back, in a unit of its own, when the operation fails in the end. */
  readonly undo?: (tx: Writer) => void | Promise<void>
}

/** Names that came to a set which a thing has, or left it; saying so of names that were there, or not, is no mistake. */
export interface Membership {
  /** What the set is called, e.g. `flags`. */
  readonly set: string
  /** The action that it needs, where that is not the first one of the operation. */
  readonly action?: string
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

export interface NotedMembership extends Membership {
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
  readonly document: Versioned
}

export interface ReplaceOptions<T> {
  /**
   * What the caller saw in place of `before`, where time alone has changed it: what differs from that is what the
   * caller changes. Default: `before`.
   */
  readonly seen?: T
  /** Actions that the change needs besides those of its members. */
  readonly besides?: readonly string[]
}

/** How many a bulk change really added or removed; known once the unit is committed. */
export interface Tally {
  count: number
}

/** A change that needs the caller's right to it, seen from the verb that was called. */
export interface ChangedDocument {
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
  readonly before: Versioned
  readonly actions: readonly string[]
}

export interface UnitOfWork extends Writer {
  readonly changed: readonly ChangedDocument[]
  /** What the unit did to documents that callers change. */
  written(): readonly WrittenDocument[]
  readonly noted: readonly NotedMembership[]
  /** Commits all that was collected; a refused precondition is the returned value. */
  commit(): Promise<Exclude<CommitOutcome['outcome'], 'committed'> | undefined>
  /** Undoes what was staged, the last first. */
  takeBack(): Promise<void>
}

/** Opens a unit of work on an account's storage. Nothing reaches storage before `commit`. */
export function unitOfWork(storage: AccountStorage): UnitOfWork {
  const batch: Change[] = []
  const written = new Map<string, Versioned | undefined>()
  const changed: ChangedDocument[] = []
  const onTaken = new Map<number, () => never>()
  const tallies = new Map<number, Tally>()
  const documents = writtenDocuments()
  const noted: NotedMembership[] = []
  const undoing: NonNullable<StageOptions['undo']>[] = []
  const seen = new Map<string, Promise<StoredDocument | undefined>>()

  /** Asks for what was not seen yet: a unit sees each document once, so that all it decides stands on the same sight. */
  function look(ids: readonly DocumentId[]): Promise<(StoredDocument | undefined)[]> {
    const unseen = new Map(ids.map((id) => [placeOf(id), id] as const).filter(([place]) => !seen.has(place)))
    if (unseen.size > 0) {
      const found = storage.getMany([...unseen.values()])
      for (const [at, place] of [...unseen.keys()].entries()) {
        seen.set(
          place,
          found.then((all) => all[at]),
        )
      }
    }
    return Promise.all(ids.map((id) => seen.get(placeOf(id))))
  }

  function write(change: Change & { id: DocumentId }, { collection, keys, before, after }: WrittenDocument): void {
    const place = placeOf(change.id)
    batch.push(change)
    written.set(place, after)
    documents.note(place, { collection, keys, before, after })
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
    before: T,
    after: T,
  ): T {
    const id = collection.id(keys)
    const document: T = { ...after, version: before.version + 1 }
    const content = { id, body: document, fields: collection.fields(document) }
    const place = { collection: collection as never, keys, after: document }
    if (before.version === 0) write({ do: 'insert', ...content }, { ...place, before: undefined })
    else write({ do: 'replace', version: before.version, ...content }, { ...place, before })
    return document
  }

  return {
    ...reader(storage),
    changed,
    written: documents.list,
    noted,
    async get(collection, keys) {
      const id = collection.id(keys)
      const place = placeOf(id)
      if (written.has(place)) return written.get(place) as never
      const [found] = await look([id])
      return found?.body as never
    },
    async getMany(collection, keys) {
      const found = await look(keys.map((one) => collection.id(one)))
      return found.map((document) => document?.body) as never
    },
    insert(collection, keys, document, taken) {
      if (taken) onTaken.set(batch.length, taken)
      return store(collection, keys, { version: 0 } as never, document as never)
    },
    replace(collection, keys, before, after, { seen = before, besides = [] } = {}) {
      const differing = differingMembers(seen, after)
      const actions = collection.changes ? actionsFor(collection.changes, differing, before, after) : []
      if (differing.length === 0 || (collection.changes && actions.length === 0)) return before
      changed.push({ collection: collection as never, keys, before, actions: [...actions, ...besides] })
      return store(collection, keys, before, after)
    },
    follow(collection, keys, before, after) {
      return differingMembers(before, after).length === 0 ? before : store(collection, keys, before, after)
    },
    remove(collection, keys, before) {
      const change = { do: 'remove', id: collection.id(keys), version: before.version } as const
      write(change, { collection: collection as never, keys, before, after: undefined })
    },
    ensure(collection, keys, given) {
      const document = { ...given, version: 1 } as never
      batch.push({ do: 'ensure', id: collection.id(keys), body: document, fields: collection.fields(document) })
    },
    discard(collection, keys) {
      batch.push({ do: 'discard', id: collection.id(keys) })
    },
    discardAll({ name, address }, scope, where) {
      batch.push({ do: 'discard-all', collection: name, scope: address.scopeAbove(scope as never), where })
    },
    note(collection, keys, document, membership) {
      noted.push({ collection: collection as never, keys, document, ...membership })
    },
    expect(collection, keys, seen) {
      const id = collection.id(keys)
      // What the unit replaces is still the same by that alone.
      if (written.get(placeOf(id))?.version === seen.version + 1) return
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
      const result = await storage.commit(batch)
      if (result.outcome === 'committed') {
        for (const [index, counted] of tallies) counted.count = result.counts[index] ?? 0
        return undefined
      }
      if (result.outcome === 'exists') onTaken.get(result.change)?.()
      return result.outcome
    },
  }
}

/** The reading half alone: what an operation that only reads is handed, so that it cannot write. */
export function reader(storage: AccountStorage): Reader {
  return {
    async get(collection, keys) {
      return (await storage.get(collection.id(keys)))?.body as never
    },
    async getMany(collection, keys) {
      if (keys.length === 0) return []
      const found = await storage.getMany(keys.map((one) => collection.id(one)))
      return found.map((document) => document?.body) as never
    },
    async list(collection, scope, options) {
      const page = await storage.list(listQuery(collection, scope, options, 'bodies'))
      const { items, total = 0 } = page
      return { items: items.map((item) => item.body) as never, keys: items.map(({ key }) => key), total }
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

/** Documents are told apart by collection and place; a newline stands in neither name nor scope. */
function placeOf(id: DocumentId): string {
  return `${id.collection}\n${id.scope}\n${id.key}`
}

function differingMembers(before: object, after: object): string[] {
  const a = before as Record<string, unknown>
  const b = after as Record<string, unknown>
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  names.delete('version')
  return [...names].filter((name) => !jsonEqual(a[name], b[name]))
}

function actionsFor<T extends Versioned>(
  changes: ChangeActions<T>,
  members: readonly string[],
  before: T,
  after: T,
): string[] {
  const actions = members.flatMap((name) => {
    const action = changes[name as keyof ChangeActions<T>]
    return typeof action === 'string' ? action : (action?.of(before, after) ?? [])
  })
  return [...new Set(actions)]
}
