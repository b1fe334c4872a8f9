import type { Caller } from '../../operation/caller.ts'
import type { EngineOptions } from '../../operation/engine-options.ts'
import { ApiError } from '../../operation/errors.ts'
import type { TokenIdentity } from '../../operation/identity.ts'
import type { Pauses } from '../../storage/adapter/lists/pauses.ts'
import { type CallStorage, cachedReads } from '../../storage/cached-reads.ts'
import { addStats, CacheSpace, type CacheStats, DependencyCache, Invalidator } from '../../storage/dependency-cache.ts'
import { JoinedLists } from '../../storage/lists/joined-lists.ts'
import { RowCopies } from '../../storage/lists/row-copies.ts'
import type { AccountStorage } from '../../storage/port.ts'
import type { CachedResponse } from './cached-responses.ts'

/** The caches of an engine (docs/decisions/0009-invalidate-caches-by-scope-tree.md). */
export interface EngineCaches {
  readonly invalidator: Invalidator
  /** The storage, with cached reads. */
  readonly storage: CallStorage
  /** Callers by token. */
  readonly callers: DependencyCache<TokenIdentity>
  /** Callers by the identity that the host names. */
  readonly identities: DependencyCache<Caller>
  readonly responses: DependencyCache<CachedResponse>
  /** Lists that are made of several collections. */
  readonly joined: JoinedLists
  /** Returns the numbers of documents, and of rows of lists. */
  documentStats(): CacheStats
}

/** Number of hits and misses of each cache of an engine, and its size. */
export interface EngineCacheStats {
  /** Callers by token; `size` is their number. */
  readonly callers: CacheStats
  /** Responses to GET requests over transports; `size` is bytes. */
  readonly responses: CacheStats
  /**
   * Documents and lists that were read from the storage, and rows of lists; `size` is their estimated heap size in
   * bytes.
   */
  readonly documents: CacheStats
}

const maxCallers = 1000

/**
 * Creates empty caches. They stay empty when the storage does not report changes.
 *
 * @param pauses lets other work of the process run while a long list is sorted.
 */
export function engineCaches(
  storage: AccountStorage,
  options: Pick<EngineOptions, 'cache'>,
  pauses: Pauses,
): EngineCaches {
  const { responses, documents, callers = maxCallers } = options.cache ?? { responses: 0, documents: 0 }
  const invalidator = new Invalidator(options.cache ? storage : {})
  const isRefusal = (error: unknown) => error instanceof ApiError
  const space = typeof documents === 'number' ? new CacheSpace(documents) : documents
  const calls = cachedReads(storage, invalidator, { space, isRefusal, pauses })
  const joinedRows = new RowCopies(pauses, invalidator, space)
  return {
    invalidator,
    storage: calls,
    joined: new JoinedLists(storage, joinedRows),
    documentStats: () => addStats(calls.stats(), joinedRows.stats()),
    callers: new DependencyCache(invalidator, { capacity: callers }),
    identities: new DependencyCache(invalidator, { capacity: callers }),
    responses: new DependencyCache(invalidator, { capacity: responses, maxValueShare: 1 / 16 }),
  }
}
