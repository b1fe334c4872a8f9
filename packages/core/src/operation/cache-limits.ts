import { CacheSpace } from '../storage/dependency-cache.ts'

/** Sizes of the caches of an engine. */
export interface CacheInput {
  /** Maximum size of cached responses to GET over transports, bytes; 0 disables the cache. Default 32 MiB. */
  readonly responses?: number
  /**
   * Approximate maximum heap size of cached documents and lists, bytes; 0 disables the cache. Default 32 MiB. Documents
   * of a storage in the memory of this process are not cached. Half of it limits the rows of a list that are copied to
   * memory, with 1 kB each: by default, lists of up to 16,000 documents
   * (docs/decisions/0148-copy-the-rows-of-long-lists-in-memory.md). Rows of flags with their status are such a list on
   * every storage (docs/decisions/0149-keep-the-status-of-flags-in-memory.md).
   */
  readonly documents?: number
}

/** The caches of several engines, with common limits: see `createCache`. */
export interface SharedCache {
  readonly responses: CacheSpace
  readonly documents: CacheSpace
  readonly callers: CacheSpace
}

/** Maximum number of callers that the engines of a shared cache keep together. */
const maxCallers = 10_000

const mebibyte = 1024 * 1024

/** Limits of the caches of an engine. Each limit is a number, or a space that the engine shares with other engines. */
export interface EngineCacheLimits {
  readonly responses: number | CacheSpace
  readonly documents: number | CacheSpace
  /** Maximum number of cached callers. */
  readonly callers?: CacheSpace
}

/**
 * Fills in the defaults.
 *
 * @throws RangeError for a negative size.
 */
export function normalizeCache(input: CacheInput | SharedCache = {}): EngineCacheLimits {
  return 'callers' in input ? input : cacheLimits(input)
}

function cacheLimits(input: CacheInput): Required<CacheInput> {
  return {
    responses: size('cache.responses', input.responses ?? 32 * mebibyte),
    documents: size('cache.documents', input.documents ?? 32 * mebibyte),
  }
}

/**
 * Creates caches that several engines of one process share, such as one for each tenant: the limits apply to all of
 * them together, and the least recently used value of any engine is evicted first.
 *
 * @param input maximum sizes in bytes. Default: 32 MiB of responses and 32 MiB of documents.
 * @throws RangeError for a negative size.
 *
 * @example
 * ```ts
 * import { createCache, createEngine } from '@halyard/core'
 * import { createMemoryStorage } from '@halyard/storage-memory'
 *
 * const storage = createMemoryStorage()
 * const cache = createCache({ responses: 64 * 1024 * 1024 })
 * const [acme, initech] = ['acme', 'initech'].map((account) => createEngine({ storage, account, cache }))
 * console.log(acme?.cacheStats().responses.entries, initech?.cacheStats().responses.entries) // 0 0
 * ```
 */
export function createCache(input: CacheInput = {}): SharedCache {
  const { responses, documents } = cacheLimits(input)
  const spaceOf = (capacity: number) => new CacheSpace(capacity, true)
  return { responses: spaceOf(responses), documents: spaceOf(documents), callers: spaceOf(maxCallers) }
}

function size(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name}: must be 0 or a positive integer`)
  return value
}
