import { changeLog, type LogPosition } from '../../operation/change-log/change-log.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import { DocumentMap } from '../../storage/document-map.ts'
import type { AccountStorage, DocumentId, Sample } from '../../storage/port.ts'
import { type Moment, type MomentName, refuseMoment } from './moment.ts'
import { changesOfEntry, comparePositions, type PastChange } from './past-change.ts'

/** Number of entries of one read. */
const pageSize = 1_000

/** Maximum number of entries whose changes are in memory. */
export const maxEntries = 1_000_000

/** Maximum time after its date at which an entry becomes readable, ms: see `engine.changes`. */
const overlapMs = 60_000

const series = changeLog.id({})

/**
 * The changes of the documents of an account since the oldest moment that was requested, in memory. Each entry of the
 * change log is read once.
 */
export class ChangeHistory {
  readonly #storage: Pick<AccountStorage, 'newest'>
  /** The changes of each document, newest first. */
  readonly #changes = new DocumentMap<PastChange[]>()
  /** The number of changes of the documents of each collection. */
  readonly #counts = new Map<string, number>()
  /**
   * Ids of the known entries of the last minute. This minute is read again, because further entries of that time may
   * still become readable.
   */
  #recent = new Map<string, number>()
  #newest: LogPosition | undefined
  #oldest: LogPosition | undefined
  #entries = 0
  /** The newest entry that cannot be undone. */
  #barrier: LogPosition | undefined
  #queue: Promise<unknown> = Promise.resolve()

  constructor(storage: Pick<AccountStorage, 'newest'>) {
    this.#storage = storage
  }

  /**
   * Reads all changes since a moment that were committed before the call.
   *
   * @param name name of the moment in error messages.
   * @throws ApiError `invalid_request` naming the moment when the change log does not lead back to it.
   */
  reach(moment: Moment, name: MomentName): Promise<void> {
    // The reads run one after the other, because a read that began earlier may lack entries that were committed since.
    const reached = this.#queue.then(() => this.#reach(moment, name))
    this.#queue = reached.catch(() => {})
    return reached
  }

  /** Returns the changes of a document since a moment, newest first. */
  changesOf(id: DocumentId, { end }: Moment): readonly PastChange[] {
    return changesSince(this.#changes.get(id) ?? [], end)
  }

  /**
   * Returns the ids of the documents of a collection in a scope, with `deep` also under it, that changed since a
   * moment.
   */
  changedIn(
    query: { readonly collection: string; readonly scope: string; readonly deep?: boolean },
    { end }: Moment,
  ): DocumentId[] {
    const ids: DocumentId[] = []
    for (const [id, changes] of this.#changes.within(query)) {
      if (changes[0] && comparePositions(changes[0], end) >= 0) ids.push(id)
    }
    return ids
  }

  /** Returns the ids of all documents that changed since a moment. */
  changed(moment: Moment): DocumentId[] {
    return [...this.#changes.collections].flatMap((collection) =>
      this.changedIn({ collection, scope: '', deep: true }, moment),
    )
  }

  /** Returns the number of known changes of the documents of a collection. */
  countOf(collection: string): number {
    return this.#counts.get(collection) ?? 0
  }

  async #reach({ end }: Moment, name: MomentName): Promise<void> {
    const [newest] = await this.#storage.newest({ series, limit: 1 })
    if (!newest) return refuseMoment(name, 'must not be earlier than the change log, which is empty')
    if (newest.id !== this.#newest?.id || newest.at !== this.#newest.at) await this.#readNewer()
    while (this.#oldest && comparePositions(this.#oldest, end) >= 0) {
      if (this.#entries >= maxEntries) {
        refuseMoment(name, `must be among the newest ${maxEntries} changes: since ${timeText(this.#oldest)}`)
      }
      if (!(await this.#readOlder(this.#oldest))) {
        refuseMoment(name, `must not be earlier than the change log, which begins at ${timeText(this.#oldest)}`)
      }
    }
    if (this.#barrier && comparePositions(this.#barrier, end) >= 0) {
      refuseMoment(
        name,
        `must not be earlier than ${timeText(this.#barrier)}: the change log does not contain what was deleted then`,
      )
    }
  }

  /** Reads the entries that have become readable since the last read. */
  async #readNewer(): Promise<void> {
    const from = this.#newest && this.#newest.at - overlapMs
    const added: Sample[] = []
    for (let before: LogPosition | undefined; ; ) {
      const page = await this.#page({ ...(before && { before }), ...(from !== undefined && { from }) })
      for (const entry of page) if (!this.#recent.has(entry.id) && !this.#isUnread(entry)) added.push(entry)
      before = page.at(-1)
      // The first read ends after one page. Older entries are read when a requested moment needs them.
      if (page.length < pageSize || from === undefined) break
    }
    for (const entry of added.reverse()) this.#add(entry, 'newer')
    const [first] = added
    this.#oldest ??= first
    const last = added.at(-1)
    if (last && (!this.#newest || comparePositions(last, this.#newest) > 0)) this.#newest = positionOf(last)
    for (const { id, at } of added) this.#recent.set(id, at)
    const horizon = (this.#newest?.at ?? 0) - overlapMs
    this.#recent = new Map([...this.#recent].filter(([, at]) => at >= horizon))
  }

  /** Reads older entries. Returns false when there are none. */
  async #readOlder(before: LogPosition): Promise<boolean> {
    const page = await this.#page({ before })
    const horizon = (this.#newest?.at ?? 0) - overlapMs
    for (const entry of page) {
      this.#add(entry, 'older')
      if (entry.at >= horizon) this.#recent.set(entry.id, entry.at)
    }
    const last = page.at(-1)
    if (last) this.#oldest = positionOf(last)
    return last !== undefined
  }

  /** Returns true for an entry that is older than all that were read. */
  #isUnread(entry: LogPosition): boolean {
    return this.#oldest !== undefined && comparePositions(entry, this.#oldest) < 0
  }

  #page(part: { readonly before?: LogPosition; readonly from?: number }): Promise<Sample[]> {
    return this.#storage.newest({ series, limit: pageSize, ...part })
  }

  #add(entry: Sample, side: 'newer' | 'older'): void {
    this.#entries++
    if (lacksDeleted(entry.body as ChangeLogEntry) && !(this.#barrier && comparePositions(this.#barrier, entry) > 0)) {
      this.#barrier = positionOf(entry)
    }
    for (const { id, change } of changesOfEntry(entry)) {
      const changes = this.#changes.get(id) ?? []
      if (changes.length === 0) this.#changes.set(id, changes)
      this.#counts.set(id.collection, this.countOf(id.collection) + 1)
      if (side === 'newer') {
        const index = changes.findIndex((other) => isNewer(change, other))
        changes.splice(index < 0 ? changes.length : index, 0, change)
      } else {
        changes.splice(changes.findLastIndex((other) => !isNewer(change, other)) + 1, 0, change)
      }
    }
  }
}

function positionOf({ at, id }: LogPosition): LogPosition {
  return { at, id }
}

/**
 * Returns the changes of a document since a position, newest first. A change since then may be followed by one with an
 * earlier date, which a process with a slower clock made.
 */
function changesSince(changes: readonly PastChange[], end: LogPosition): readonly PastChange[] {
  return changes.slice(0, changes.findLastIndex((change) => comparePositions(change, end) >= 0) + 1)
}

/**
 * Returns true when a change was made after another change of the same document. Compares versions, because the clocks
 * of processes differ.
 */
function isNewer(change: PastChange, other: PastChange): boolean {
  const isOrderedByVersion =
    change.version !== undefined && other.version !== undefined && Math.abs(change.at - other.at) <= overlapMs
  return isOrderedByVersion && change.version !== other.version
    ? (change.version as number) > (other.version as number)
    : comparePositions(change, other) > 0
}

/**
 * Returns true for the entry of a deletion that lacks the documents that were deleted together with its document.
 * Either there were too many documents, or an earlier version of the engine wrote the entry; such entries have no
 * sentences.
 */
function lacksDeleted({ changes, removed, irreversible, sentences }: ChangeLogEntry): boolean {
  if (removed) return false
  const deletes = changes.some(({ patch: [first] }) => first?.path === '' && first.op === 'remove')
  return deletes && (irreversible !== undefined || sentences === undefined)
}

function timeText({ at }: LogPosition): string {
  return new Date(at).toISOString()
}
