import type { Query, Replica, SqlResult, Statement } from './sql-driver.ts'

/** Reads that may run on a replica. */
export interface ReplicaReads {
  /** Returns the function that reads for an account: on a replica that has all known changes, or on the primary. */
  queryOf(account: string): Query
  /**
   * Must be called when a commit of an account may have become visible, before a caller is notified of it.
   *
   * @param account undefined when commits of any account may have been missed.
   */
  changed(account: string | undefined): void
}

export interface ReplicaReadsOptions {
  readonly primary: Query
  readonly replicas: readonly Replica[]
  /** Returns true while the storage is notified of all commits. Otherwise only the primary is certain to have them. */
  isNotified(): boolean
}

/**
 * Maximum number of accounts whose position is kept. All other accounts share one position: that of the account that
 * was removed last.
 */
const maxAccounts = 1000

/** A point in time at which a commit was known to be visible. */
interface Mark {
  /** Position in the write-ahead log at or after the commit; undefined while it is not known. */
  position: number | undefined
}

// The log position of a commit is known only after the commit, so it is read from the primary. One statement reads it
// for all commits that became known since the last such statement. While nothing is read, no such statement is sent.
const currentPosition: Statement = {
  name: 'log position',
  text: `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as position`,
  values: [],
}

/**
 * Makes the reads of one storage object. A read runs on a replica only when the replica has replayed every commit to
 * the account that this object has made or was notified of. So callers read their own writes, and a cache that a
 * notification invalidated is not filled with older data.
 */
export function replicaReads(options: ReplicaReadsOptions): ReplicaReads {
  return new PositionedReads(options)
}

class PositionedReads implements ReplicaReads {
  readonly #options: ReplicaReadsOptions
  /**
   * The newest known commit of each account. The account whose mark has been unchanged for the longest time comes
   * first.
   */
  readonly #marks = new Map<string, Mark>()
  /** Includes the commits of all accounts that have no mark. */
  #oldest: Mark = { position: undefined }
  #unlocated = new Set<Mark>([this.#oldest])
  #isLocating = false
  #turn = 0

  constructor(options: ReplicaReadsOptions) {
    this.#options = options
  }

  changed(account: string | undefined): void {
    const mark: Mark = { position: undefined }
    if (account === undefined) {
      this.#marks.clear()
      this.#unlocated.clear()
      this.#oldest = mark
    } else {
      this.#discard(account)
      this.#marks.set(account, mark)
    }
    this.#unlocated.add(mark)
    if (this.#marks.size > maxAccounts) this.#mergeFirst()
  }

  queryOf(account: string): Query {
    return async <Row>(statement: Statement): Promise<SqlResult<Row>> => {
      const position = this.#options.isNotified() ? this.#positionOf(account) : undefined
      if (position !== undefined) {
        const result = await this.#nextReplica()?.queryAt<Row>(position, statement)
        if (result) return result
      }
      return this.#options.primary(statement)
    }
  }

  #nextReplica(): Replica | undefined {
    const { replicas } = this.#options
    return replicas[this.#turn++ % replicas.length]
  }

  #positionOf(account: string): number | undefined {
    const mark = this.#marks.get(account)
    const oldest = this.#oldest.position
    const position = mark ? mark.position : oldest
    if (position === undefined || oldest === undefined) void this.#locate()
    return position === undefined || oldest === undefined ? undefined : Math.max(position, oldest)
  }

  /** Reads the position of all marks that have no position yet. Reads use the primary until then. */
  async #locate(): Promise<void> {
    if (this.#isLocating || this.#unlocated.size === 0) return
    this.#isLocating = true
    const marks = this.#unlocated
    this.#unlocated = new Set()
    try {
      const { rows } = await this.#options.primary<{ position: number }>(currentPosition)
      for (const mark of marks) mark.position = rows[0]?.position
    } catch {
      // The primary does not answer. The reads themselves report this error, and the next read looks up the positions
      // again.
      for (const mark of marks) this.#unlocated.add(mark)
    } finally {
      this.#isLocating = false
    }
  }

  #discard(account: string): void {
    const mark = this.#marks.get(account)
    if (!mark) return
    this.#marks.delete(account)
    this.#unlocated.delete(mark)
  }

  #mergeFirst(): void {
    const [[account, mark] = []] = this.#marks
    if (account === undefined || mark === undefined) return
    this.#marks.delete(account)
    if (mark.position === undefined) this.#oldest = mark
    else if (this.#oldest.position !== undefined) this.#oldest.position = Math.max(this.#oldest.position, mark.position)
  }
}
