import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { type DataDirectoryLock, lockDataDirectory } from './data-directory-lock.ts'

/** Returns true for a `dataDir` in memory, which needs no lock because only one process can use it. */
export function isInMemory(dataDir: string): boolean {
  return dataDir.startsWith('memory://')
}

/** Returns the path of a `dataDir` of PGlite, which may begin with `file://`. */
export function directoryPath(dataDir: string): string {
  return path.resolve(dataDir.replace(/^file:\/\//, ''))
}

/**
 * Ensures that a data directory exists, can be written to, and is used by this process alone.
 *
 * @param dataDir a path, with or without `file://`, as PGlite accepts it.
 * @throws Error that names the directory and the reason.
 */
export function claimDataDirectory(dataDir: string): DataDirectoryLock {
  const requested = directoryPath(dataDir)
  attempt(`the data directory ${requested} cannot be used`, () => {
    mkdirSync(requested, { recursive: true })
    accessSync(requested, constants.R_OK | constants.W_OK | constants.X_OK)
  })
  // The path is resolved, so that two names of one directory use the same lock.
  const directory = realpathSync(requested)
  attempt(`cannot create the lock file of ${directory} beside it: that directory is not writable`, () => {
    accessSync(path.dirname(directory), constants.W_OK)
  })
  return lockDataDirectory(directory)
}

function attempt(message: string, work: () => void): void {
  try {
    work()
  } catch (cause) {
    throw new Error(`${message}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
