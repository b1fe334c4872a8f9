import type { Host } from '../../operation/context.ts'
import type { AccountStorage, ListedDocument, StorageWatch, TouchedRecords } from '../../storage/port.ts'

/** The documents to cache, and the functions to call. */
export interface CachedDocumentsOptions {
  /** Names of the collections. */
  readonly collections: readonly string[]
  /**
   * Matches the scopes of the documents and the scopes above: a change of everything under one of these scopes causes
   * another read.
   */
  readonly scopes: RegExp
  /** Returns true while a change must be read immediately. Otherwise it is read with the next `catchUp`. */
  readonly isNeeded: () => boolean
  /** Receives the documents of each collection after each read. When it throws, they are read again. */
  readonly onRead: (lists: readonly (readonly ListedDocument[])[]) => void | Promise<void>
  /** Event of the log for a read that failed while no caller waited for it. */
  readonly failureEvent: string
}

/**
 * All documents of some collections of an account. They are read at the first use and again after a change, so that
 * uses in between cost no storage query.
 */
export class CachedDocuments {
  readonly #storage: AccountStorage
  readonly #host: Pick<Host, 'log'>
  readonly #options: CachedDocumentsOptions
  readonly #collections: ReadonlySet<string>
  #isOutdated = true
  #isStopped = false
  #reading: Promise<void> | undefined
  #watching: StorageWatch | undefined

  /** @param storage watched from the first read on; one without `watch` is read at each use. */
  constructor(storage: AccountStorage, host: Pick<Host, 'log'>, options: CachedDocumentsOptions) {
    this.#storage = storage
    this.#host = host
    this.#options = options
    this.#collections = new Set(options.collections)
  }

  /**
   * Resolves when `onRead` has received every change that was committed before the call.
   *
   * @throws any error of the storage or of `onRead`.
   */
  async catchUp(): Promise<void> {
    if (!this.#isStopped) this.#watching ??= this.#storage.watch?.((touched) => this.#onStorageChange(touched))
    if (!this.isReported()) this.#isOutdated = true
    // Changes that are reported during a read cause another read.
    while (this.#isOutdated || this.#reading) await (this.#reading ??= this.#readOnce())
  }

  /** Returns true while the storage reports every change, so that the cached documents are current. */
  isReported(): boolean {
    return this.#watching?.live() ?? false
  }

  /** Reads outdated documents again in the background, if they are needed. */
  check(): void {
    if (!this.#isOutdated || !this.#options.isNeeded()) return
    this.catchUp().catch((error) => this.#host.log({ level: 'error', event: this.#options.failureEvent, error }))
  }

  /** Marks the documents as outdated, and reads them again in the background, if they are needed. */
  invalidate(): void {
    this.#isOutdated = true
    this.check()
  }

  /** Ends the subscription to the storage. Each later `catchUp` reads the documents. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#watching?.stop()
    this.#watching = undefined
  }

  #onStorageChange(touched: readonly TouchedRecords[] | 'anything'): void {
    if (touched === 'anything' || touched.some((records) => this.#includes(records))) this.invalidate()
  }

  #includes(touched: TouchedRecords): boolean {
    switch (touched.kind) {
      case 'document':
        return this.#collections.has(touched.id.collection)
      case 'collection':
        return this.#collections.has(touched.collection)
      case 'scope':
        return this.#options.scopes.test(touched.scope)
      default:
        return false
    }
  }

  /** Changes that are reported during a read cause another read. */
  async #readOnce(): Promise<void> {
    this.#isOutdated = false
    try {
      await this.#options.onRead(await this.#list())
    } catch (error) {
      this.#isOutdated = true
      throw error
    } finally {
      this.#reading = undefined
    }
  }

  async #list(): Promise<(readonly ListedDocument[])[]> {
    const query = { scope: '', deep: true, limit: 2 ** 31 - 1, select: 'bodies' } as const
    const pages = this.#options.collections.map((collection) => this.#storage.list({ ...query, collection }))
    return (await Promise.all(pages)).map(({ items }) => items)
  }
}
