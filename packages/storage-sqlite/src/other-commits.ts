import { sql } from './sql.ts'
import { change, type ImmediateReads, select } from './sqlite-driver.ts'
import type { Step } from './step.ts'

/** Number of change notifications that are kept. A process that missed older ones receives `anything`. */
const maxNotifications = 1_000

/** Number of commits of a storage object after which it deletes old notifications. */
const commitsBetweenDeletions = 100

/** Reads the commits of other processes. */
export interface OtherCommits {
  /** Marks all commits until now as read. */
  start(): void
  /**
   * Returns the notifications about all commits since the last call, including commits of this storage object. Returns
   * `anything` when some notifications were deleted, and undefined when the database cannot be read.
   */
  next(): readonly string[] | 'anything' | undefined
}

/** Makes the reader of one connection. */
export function otherCommits(reads: ImmediateReads): OtherCommits {
  let version: number | undefined
  let last = 0

  function next(): readonly string[] | 'anything' {
    const current = reads.dataVersion()
    if (current === version) return []
    const rows = reads.read(select(sql`select n, payload from halyard_notices where n > ${last} order by n`))
    const isFirst = version === undefined
    version = current
    const [first] = rows
    if (!first) return isFirst ? 'anything' : []
    const expected = last + 1
    last = Number(rows.at(-1)?.n)
    return isFirst || first.n !== expected ? 'anything' : rows.map(({ payload }) => String(payload))
  }

  const ifReadable = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch {
      // The database was closed, or has no tables yet. The watch is not live then.
      version = undefined
      return undefined
    }
  }

  return { start: () => void ifReadable(next), next: () => ifReadable(next) }
}

/** Returns the steps that store a change notification for other processes. */
export function notificationSteps(notification: string | undefined, commit: number): Step[] {
  if (notification === undefined) return []
  const added = { statement: change(sql`insert into halyard_notices (payload) values (${notification})`) }
  if (commit % commitsBetweenDeletions > 0) return [added]
  const deleted = sql`delete from halyard_notices where n <= (select max(n) from halyard_notices) - ${maxNotifications}`
  return [added, { statement: change(deleted) }]
}
