import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { processStart } from './process-start.ts'

/** The process that holds a lock. */
export interface LockHolder {
  /** Unique for each attempt to take a lock. */
  readonly id: string
  readonly pid: number
  readonly host: string
  /** Distinguishes the process from a later one with the same pid; null where the system does not provide it. */
  readonly started: string | null
}

export interface DataDirectoryLock {
  /** Releases the lock. Safe to call twice. */
  release(): void
}

/**
 * Takes the lock of a data directory: the file `<directory>.lock` beside it. PGlite itself has no lock: when two
 * processes use one directory, commits of one of them are silently lost.
 *
 * A lock that a dead process left is taken over. A lock from another host is respected, because this process cannot
 * detect whether its holder is alive.
 *
 * @param directory without a trailing slash, with symbolic links resolved.
 * @throws Error naming the directory and the process that holds the lock; the error of the file system when the lock
 *   file cannot be created.
 */
export function lockDataDirectory(directory: string): DataDirectoryLock {
  const path = `${directory}.lock`
  const self: LockHolder = {
    id: randomUUID(),
    pid: process.pid,
    host: hostname(),
    started: processStart(process.pid) ?? null,
  }
  // The file is written first and then linked: a linked file is complete from the beginning, while a created file is
  // empty at first.
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
 * Links the draft to `path`, after removing the lock of a dead holder.
 *
 *
 * Between reading the lock of a dead holder (the first lock) and removing it, another process may remove the first lock
 * and take it. Removing it then would delete a live lock. Therefore:
 *
 * 1. The process takes a second lock, whose name contains the id of the dead holder. While it has the second lock, no
 *    other process can remove the first lock.
 * 2. It reads the first lock again, and removes it only if the dead holder still holds it.
 * 3. It removes the second lock, and tries to take the first one.
 *
 * A process that dies between these steps leaves the second lock, which is taken over in the same way.
 */
function take(path: string, draft: string, directory: string): void {
  while (!tryLink(draft, path)) {
    const holder = readHolder(path)
    if (holder === undefined) continue
    if (mayBeAlive(holder)) throw new Error(inUseMessage(directory, path, holder))
    const removal = `${path}.after-${holder.id}`
    take(removal, draft, directory)
    try {
      if (readHolder(path)?.id === holder.id) unlinkSync(path)
    } finally {
      unlinkSync(removal)
    }
  }
}

function tryLink(draft: string, path: string): boolean {
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
    throw new Error(`cannot read the lock file ${path}; if no process uses the data directory, remove the file`, {
      cause: error,
    })
  }
}

function mayBeAlive({ pid, host, started }: LockHolder): boolean {
  if (host !== hostname()) return true
  const currentStart = processStart(pid)
  if (currentStart !== null) return currentStart !== undefined && (started === null || started === currentStart)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isErrno(error, 'ESRCH')
  }
}

function inUseMessage(directory: string, path: string, { pid, host }: LockHolder): string {
  const hostNote = host === hostname() ? '' : ` on host ${host} (if that process has ended, remove ${path})`
  return `the data directory ${directory} is in use by process ${pid}${hostNote}; PGlite serves one process at a time`
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code
}
