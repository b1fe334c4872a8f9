import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { processStart } from './process-start.ts'

/** Who holds a lock. */
export interface LockHolder {
  /** Unique for each attempt to take a lock. */
  readonly id: string
  readonly pid: number
  readonly host: string
  /** Tells the process from a later one with the same pid; null where the system does not say. */
  readonly started: string | null
}

export interface DataDirectoryLock {
  /** Gives the lock back. Safe to call twice. */
  release(): void
}

/**
 * Takes the lock of a data directory: the file `<directory>.lock` beside it. PGlite has no lock of its own, and of two
 * processes on one directory it silently loses what one of them committed.
 *
 * A lock that a dead process left behind is taken over. Whether a process on another host still lives cannot be seen
 * from here, so its lock stands.
 *
 * @param directory without a slash at the end, symbolic links resolved.
 * @throws Error naming directory and process when another one holds the lock; what the file system throws when the
 *   file cannot be made.
 */
export function lockDataDirectory(directory: string): DataDirectoryLock {
  const path = `${directory}.lock`
  const self: LockHolder = {
    id: randomUUID(),
    pid: process.pid,
    host: hostname(),
    started: processStart(process.pid) ?? null,
  }
  // A file that is linked into place is complete from its first moment; one that is created is empty at first.
  const draft = `${path}.${self.id}`
  writeFileSync(draft, JSON.stringify(self), { flag: 'wx' })
  try {
    take(path, draft, directory)
  } finally {
    unlinkSync(draft)
  }
  return {
    release() {
      if (readHolder(path)?.id === self.id) unlinkSync(path)
    },
  }
}

/**
 * Links our draft to `path`, removing what a dead holder left there.
 *
 * Between the look at a dead holder's lock and its removal another opener may have done both and locked anew; then we
 * would remove a live lock. So whoever removes first takes a second lock, named for that holder: with it in hand nobody
 * else can replace the file, and one more look decides. A process that dies right there leaves that second lock, which
 * is taken over in the same way.
 */
function take(path: string, draft: string, directory: string): void {
  while (!linked(draft, path)) {
    const holder = readHolder(path)
    if (holder === undefined) continue
    if (mayLive(holder)) throw new Error(inUse(directory, path, holder))
    const removal = `${path}.after-${holder.id}`
    take(removal, draft, directory)
    try {
      if (readHolder(path)?.id === holder.id) unlinkSync(path)
    } finally {
      unlinkSync(removal)
    }
  }
}

function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw new Error(`the lock file ${path} cannot be read; if no process uses the data directory, remove it`, {
      cause: error,
    })
  }
}

function mayLive({ pid, host, started }: LockHolder): boolean {
  if (host !== hostname()) return true
  const now = processStart(pid)
  if (now !== null) return now !== undefined && (started === null || started === now)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isErrno(error, 'ESRCH')
  }
}

function inUse(directory: string, path: string, { pid, host }: LockHolder): string {
  const where = host === hostname() ? '' : ` on host ${host} (if that one is gone, remove ${path})`
  return `the data directory ${directory} is in use by process ${pid}${where}; PGlite serves one process at a time`
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code
}
