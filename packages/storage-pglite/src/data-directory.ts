import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { type DataDirectoryLock, lockDataDirectory } from './data-directory-lock.ts'

/** Whether a `dataDir` of PGlite lives in memory and so belongs to one process anyway. */
export function isInMemory(dataDir: string): boolean {
  return dataDir.startsWith('memory://')
}

/**
 * Makes sure that a data directory is there, can be written to, and is ours alone.
 *
 * @param dataDir a path, with or without `file://` in front, as PGlite takes it.
 * @throws Error that names the directory and says what is wrong with it.
 */
export function claimDataDirectory(dataDir: string): DataDirectoryLock {
  const wanted = path.resolve(dataDir.replace(/^file:\/\//, ''))
  attempt(`the data directory ${wanted} cannot be used`, () => {
    mkdirSync(wanted, { recursive: true })
    accessSync(wanted, constants.R_OK | constants.W_OK | constants.X_OK)
  })
  // Two names of one directory must meet at one lock.
  const directory = realpathSync(wanted)
  attempt(`the lock of ${directory} is made beside it, but nothing can be written there`, () => {
    accessSync(path.dirname(directory), constants.W_OK)
  })
  return lockDataDirectory(directory)
}

function attempt(complaint: string, work: () => void): void {
  try {
    work()
  } catch (cause) {
    throw new Error(`${complaint}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
