import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadSqlite } from './open-storage.ts'
import { defaultStorage } from './storage-option.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-default-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('a command stores data in a SQLite file by default', () => {
  expect(defaultStorage(emptyFolder())).toBe('sqlite:.halyard.db')
})

it('a command uses the PGlite directory of an earlier version while there is no SQLite file', () => {
  const folder = emptyFolder()
  mkdirSync(path.join(folder, '.halyard'))
  expect(defaultStorage(folder)).toBe('sqlite:.halyard.db')
  writeFileSync(path.join(folder, '.halyard/PG_VERSION'), '18')
  expect(defaultStorage(folder)).toBe('pglite:.halyard')
  writeFileSync(path.join(folder, '.halyard.db'), '')
  expect(defaultStorage(folder)).toBe('sqlite:.halyard.db')
})

class OfLibsql {
  prepare = () => ({ all: () => [], run: () => {} })
  exec() {}
  close() {}
}

class OfNode extends OfLibsql {}

const builtIn = async () => ({ DatabaseSync: OfNode })
const missing = async () => {
  throw new Error('Cannot find module')
}

it('a SQLite file is opened by libsql, or by the SQLite of Node where libsql has no binary', async () => {
  expect(await loadSqlite(Promise.resolve({ default: OfLibsql }), builtIn)).toBe(OfLibsql)
  expect(await loadSqlite(missing(), builtIn)).toBe(OfNode)
  await expect(loadSqlite(missing(), missing)).rejects.toThrow('needs Node 22.5 or newer on this platform')
})
