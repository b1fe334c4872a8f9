import { deepFreeze } from '../rules/deep-freeze.ts'
import { type Dependency, onDocument, onList, onMembers } from './dependencies.ts'
import { type CacheFigures, freshCache } from './fresh-cache.ts'
import type { Freshness } from './freshness.ts'
import type { AccountStorage, Change, CommitOutcome, DocumentId, StoredDocument } from './port.ts'
import type { StorageReads } from './reads.ts'
import type { Trail } from './trail.ts'

/** What one call has seen. */
export interface Sight {
  /** Whether any of it came from memory: then another process may have changed it a moment ago. */
  remembered: boolean
  /** Whether a commit has shown that what it stands on is still so. */
  checked: boolean
}

export interface RememberedReads {
  /** Whether anything is ever remembered. */
  readonly remembers: boolean
  /** Reads that are answered from memory where they can be. */
  readonly reads: StorageReads
  /** The same for one call, which looks again with fresh eyes when it is refused for what came from memory. */
  seenBy(sight: Sight): StorageReads
  /** Commits to the storage; what was written is remembered, unless somebody else wrote it as well meanwhile. */
  commit(batch: readonly Change[]): Promise<CommitOutcome>
  figures(): CacheFigures
}

/** Whoever asks for more documents at once feeds thousands: those are seldom asked for again, and would drive out the others. */
const mostRemembered = 1000

/** Of a batch that is longer nothing is kept in memory: it feeds many things, each of which is seldom asked for next. */
const longestKept = 100

/** What an entry takes besides what it says: its places in the cache and among those that are told of changes, bytes. */
const entryBytes = 512

/** What the platform takes for each character of JSON, once it is parsed: from 1.3 for plain flags on, bytes. */
const bytesOfCharacter = 2

/** Stands for a document that there is not. */
const absent = Symbol('absent')

/**
 * Remembers documents, pages of lists and counts of members until they change.
 *
 * That something is not there counts only for those who look again when they are refused: another process may have made
 * it just now, and whoever made it looks for it next.
 *
 * @param size bytes that may be taken at most, 0 for nothing.
 */
export function rememberedReads(storage: AccountStorage, fresh: Freshness, size: number): RememberedReads {
  const remembers = size > 0 && storage.watch !== undefined && !storage.immediate
  const cache = freshCache<unknown>(fresh, { size: remembers ? size : 0, largest: size / 16 })
  const reads = remembers ? readsFor({ remembered: false, checked: false }, false) : storage

  /** One answer, from memory or from storage. */
  async function recall<T>(sight: Sight, key: string, on: readonly Dependency[], ask: () => Promise<T>): Promise<T> {
    const known = cache.get(key)
    if (known !== undefined) {
      sight.remembered = true
      return known as T
    }
    const trail = begin(on)
    try {
      return keep(key, await ask(), trail)
    } catch (error) {
      trail?.end()
      throw error
    }
  }

  /** Many documents: what is missing is asked for at once. */
  async function recallMany(
    sight: Sight,
    ids: readonly DocumentId[],
    fits: (known: unknown) => boolean,
  ): Promise<(StoredDocument | undefined)[]> {
    if (ids.length > mostRemembered) return storage.getMany(ids)
    const known = ids.map((id) => cache.get(onDocument(id), fits))
    const found = known.map((one) => (one === absent ? undefined : (one as StoredDocument | undefined)))
    const missing = [...ids.keys()].filter((at) => known[at] === undefined)
    if (missing.length < ids.length) sight.remembered = true
    if (missing.length === 0) return found
    const asked = missing.map((at) => ids[at] as DocumentId)
    const trails = asked.map((id) => begin([onDocument(id)]))
    try {
      const answers = await storage.getMany(asked)
      for (const [i, at] of missing.entries()) {
        found[at] = answers[i]
        keep(onDocument(asked[i] as DocumentId), answers[i] ?? absent, trails[i])
      }
      return found
    } catch (error) {
      for (const trail of trails) trail?.end()
      throw error
    }
  }

  function begin(on: readonly Dependency[], own?: number): Trail | undefined {
    const trail = fresh.begin(own)
    for (const dependency of on) trail?.note(dependency)
    return trail
  }

  function keep<T>(key: string, found: T, trail: Trail | undefined): T {
    if (trail) cache.keep(key, deepFreeze(found), weightOf(key, JSON.stringify(found)), trail)
    return found
  }

  function readsFor(sight: Sight, trustAbsence: boolean): StorageReads {
    const fits = (known: unknown) => trustAbsence || known !== absent
    return {
      get: async (id) => (await recallMany(sight, [id], fits))[0],
      getMany: (ids) => recallMany(sight, ids, fits),
      list: (query) => recall(sight, JSON.stringify(['list', query]), [onList(query)], () => storage.list(query)),
      countMembers(set, without) {
        const on = without ? [onMembers(set), onMembers(without)] : [onMembers(set)]
        return recall(sight, JSON.stringify(['count', set, without]), on, () => storage.countMembers(set, without))
      },
      hasMember: (set, member) => storage.hasMember(set, member),
      findMembers: (set, members) => storage.findMembers(set, members),
      pageMembers: (set, page) => storage.pageMembers(set, page),
      scan: (query) => storage.scan(query),
      newest: (query) => storage.newest(query),
      listTasks: (queue, page) => storage.listTasks(queue, page),
    }
  }

  async function commit(batch: readonly Change[]): Promise<CommitOutcome> {
    const written = batch.length > longestKept ? [] : batch.filter(isWrite)
    const trails = written.map(({ id }) => begin([onDocument(id)], 1))
    let committed = false
    try {
      const result = await storage.commit(batch)
      committed = result.outcome === 'committed'
      return result
    } finally {
      for (const [at, trail] of trails.entries()) {
        if (committed) keepWritten(written[at] as Write, trail)
        else trail?.end()
      }
    }
  }

  function keepWritten(write: Write, trail: Trail | undefined): void {
    const { key, scope } = write.id
    const text = JSON.stringify(write.body)
    const version = write.do === 'insert' ? 1 : write.version + 1
    // As it will be read: members that are undefined are not there.
    keep(onDocument(write.id), { key, scope, version, body: JSON.parse(text) }, trail)
  }

  return {
    remembers,
    reads,
    commit: remembers ? commit : (batch) => storage.commit(batch),
    seenBy: (sight) => (remembers ? readsFor(sight, true) : storage),
    figures: cache.figures,
  }
}

type Write = Extract<Change, { readonly do: 'insert' | 'replace' }>

function isWrite(change: Change): change is Write {
  return change.do === 'insert' || change.do === 'replace'
}

/** About how much of the heap an entry takes, bytes; a symbol has no text. */
function weightOf(key: string, text: string | undefined): number {
  return entryBytes + bytesOfCharacter * (key.length + (text?.length ?? 0))
}
