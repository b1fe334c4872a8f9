import { existsSync } from 'node:fs'
import path from 'node:path'
import type { OptionDeclaration } from './options.ts'

const sqliteFile = '.halyard.db'
const pgliteDirectory = '.halyard'

/**
 * Returns the storage of a command that names no storage: a SQLite file in the current folder, or the PGlite directory
 * that earlier versions created there, unless the file exists as well.
 *
 * @param folder the current folder.
 */
export function defaultStorage(folder = '.'): string {
  const exists = (name: string) => existsSync(path.join(folder, name))
  const isOfEarlierVersion = exists(`${pgliteDirectory}/PG_VERSION`) && !exists(sqliteFile)
  return isOfEarlierVersion ? `pglite:${pgliteDirectory}` : `sqlite:${sqliteFile}`
}

/** The option that names a storage. */
export const storageOption = {
  type: 'string',
  env: 'HALYARD_STORAGE',
  preset: () => defaultStorage(),
  help: 'memory, sqlite:<file>, pglite:<dir> or postgres://…',
} as const satisfies OptionDeclaration
