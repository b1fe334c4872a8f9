import type { AccountStorage, Storage, StorageWatch } from '@halyard/core/storage'
import { isAccountFenced } from '../connections/sqlstate.ts'

/** Default of `routeMs`, ms. */
export const defaultRouteMs = 1000

/** Options of `createShardedStorage`. */
export interface ShardedStorageOptions {
  /** The storage of each shard, by its name. */
  readonly shards: Readonly<Record<string, Storage>>
  /**
   * Returns the name of the shard that has an account. All processes must read the newest value, e.g. from one table
   * that is not replicated.
   */
  shardOf(account: string): Promise<string> | string
  /**
   * Time for which a process uses a route without reading it again, ms. `moveAccount` waits for it. Default 1000.
   */
  readonly routeMs?: number
  /** Maximum time that a write waits while its account is moved, ms. Then it is refused. Default 10 000. */
  readonly maxWaitMs?: number
}

/** Time after which a write to an account that is moved is tried again, ms. */
const retryMs = 50

type ChangeListener = Parameters<NonNullable<AccountStorage['watch']>>[0]

/**
 * Creates a storage whose accounts are on several servers. `moveAccount` moves an account between two of them while it
 * is used.
 *
 * @throws RangeError from each call for an account whose shard does not exist.
 *
 * @example
 * ```ts
 * import { createMemoryStorage } from '@halyard/storage-memory'
 * import { createShardedStorage } from '@halyard/storage-postgres'
 *
 * const routes = new Map([['acme', 'east']])
 * const shards = { east: createMemoryStorage(), west: createMemoryStorage() }
 * const storage = createShardedStorage({ shards, shardOf: (account) => routes.get(account) ?? 'west' })
 * console.log(storage.name) // sharded
 * ```
 */
export function createShardedStorage(options: ShardedStorageOptions): Storage {
  const shards = Object.values(options.shards)
  const all = async (work: (shard: Storage) => Promise<void>) => void (await Promise.all(shards.map(work)))
  return {
    name: 'sharded',
    migrate: () => all((shard) => shard.migrate()),
    ping: () => all((shard) => shard.ping()),
    close: () => all((shard) => shard.close()),
    account: (account) => accountVerbs(new AccountRoute(account, options)),
  }
}

/** The route of this process to the shard of an account. */
class AccountRoute {
  readonly #account: string
  readonly #options: ShardedStorageOptions
  readonly #watchers = new Set<RouteWatch>()
  #current: { readonly name: string; readonly storage: AccountStorage; readonly readAt: number } | undefined
  #reading: Promise<AccountStorage> | undefined

  constructor(account: string, options: ShardedStorageOptions) {
    this.#account = account
    this.#options = options
  }

  /** Returns the storage of the account's shard. The route is read again when it is older than `routeMs`. */
  storage(): AccountStorage | Promise<AccountStorage> {
    const current = this.#fresh(1)
    return current ?? this.#read()
  }

  /**
   * Runs a function of the storage. A write to an account that is being moved waits until it can be executed on the new
   * shard.
   */
  async run<T>(verb: (storage: AccountStorage) => Promise<T>): Promise<T> {
    const deadline = performance.now() + (this.#options.maxWaitMs ?? 10_000)
    for (;;) {
      const storage = await this.storage()
      try {
        return await verb(storage)
      } catch (error) {
        if (!isAccountFenced(error) || performance.now() > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, retryMs))
        await this.#read()
      }
    }
  }

  watch(listener: ChangeListener): StorageWatch {
    const watch = new RouteWatch(listener)
    this.#watchers.add(watch)
    if (this.#current) watch.follow(this.#current.storage)
    else void this.#read().catch(() => {})
    return {
      live: () => {
        // The route is read before it expires, so that a call which needs only cached data never waits for it.
        if (!this.#fresh(1 / 2)) void this.#read().catch(() => {})
        return this.#fresh(1) !== undefined && watch.live()
      },
      stop: async () => {
        this.#watchers.delete(watch)
        await watch.stop()
      },
    }
  }

  #fresh(part: number): AccountStorage | undefined {
    const { routeMs = defaultRouteMs } = this.#options
    const current = this.#current
    return current && performance.now() - current.readAt <= routeMs * part ? current.storage : undefined
  }

  #read(): Promise<AccountStorage> {
    this.#reading ??= this.#readRoute().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readRoute(): Promise<AccountStorage> {
    // The route is certain to be valid only until the time at which its query began.
    const readAt = performance.now()
    const name = await this.#options.shardOf(this.#account)
    const shard = this.#options.shards[name]
    if (!shard) throw new RangeError(`shardOf: the account ${this.#account} is on the unknown shard ${name}`)
    const isSame = this.#current?.name === name
    const storage = isSame && this.#current ? this.#current.storage : shard.account(this.#account)
    this.#current = { name, storage, readAt }
    if (!isSame) for (const watch of this.#watchers) watch.follow(storage)
    return storage
  }
}

/** A subscription to the shard that has the account. */
class RouteWatch {
  readonly #listener: ChangeListener
  #watch: StorageWatch | undefined
  #stopped = false

  constructor(listener: ChangeListener) {
    this.#listener = listener
  }

  live(): boolean {
    return this.#watch?.live() === true
  }

  follow(storage: AccountStorage): void {
    if (this.#stopped) return
    void this.#watch?.stop()
    this.#watch = storage.watch?.((touched) => this.#listener(touched))
    this.#listener('anything')
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#watch?.stop()
  }
}

function accountVerbs(route: AccountRoute): AccountStorage {
  return {
    get: (id) => route.run((storage) => storage.get(id)),
    getMany: (ids) => route.run((storage) => storage.getMany(ids)),
    list: (query) => route.run((storage) => storage.list(query)),
    hasKey: (set, key) => route.run((storage) => storage.hasKey(set, key)),
    findKeys: (set, keys) => route.run((storage) => storage.findKeys(set, keys)),
    countKeys: (set, without) => route.run((storage) => storage.countKeys(set, without)),
    pageKeys: (set, page) => route.run((storage) => storage.pageKeys(set, page)),
    scan: (query) => route.run((storage) => storage.scan(query)),
    newest: (query) => route.run((storage) => storage.newest(query)),
    findSamples: (series, ids) => route.run(async (storage) => (await storage.findSamples?.(series, ids)) ?? []),
    take: (query) => route.run((storage) => storage.take(query)),
    listTasks: (queue, page) => route.run((storage) => storage.listTasks(queue, page)),
    commit: (batch) => route.run((storage) => storage.commit(batch)),
    watch: (listener) => route.watch(listener),
    reserve: (query) =>
      route.run(async (storage) => {
        if (!storage.reserve) throw new TypeError('the shard has no quota leases')
        return storage.reserve(query)
      }),
    transactionNumbers: () => route.run(async (storage) => storage.transactionNumbers?.()),
    async *dump() {
      yield* (await route.storage()).dump()
    },
  }
}
