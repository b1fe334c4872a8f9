import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { createSqliteStorage } from '@halyard/storage-sqlite'
import Database from 'libsql'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import { type Comparison, compare, type Suite } from '../compare.ts'
import { copiesOf, flagF } from '../copied-documents.ts'

const suite = 'growth'
const few = 1_000
const many = 100_000

/** Measures how the size of an account affects a call about one flag. */
export const growth: Suite = {
  name: suite,
  about:
    'One flag read, one patched, and one created and deleted, in an account of 100,000 flags with a configuration and a link each, on Postgres, in memory and in a SQLite file; the peer is the same call in an account of 1,000 flags of the same storage, in alternation. The databases wait for the disk at every commit. Target: a ratio of at least 0.83.',
  async run() {
    return [...(await onPostgres()), ...(await onSqlite()), ...(await measure('memory', createMemoryStorage()))]
  },
}

async function onPostgres(): Promise<Comparison[]> {
  const server = await startPostgres({ durable: true })
  const pool = new pg.Pool({ ...server.connection, max: 4 })
  pool.on('error', () => {})
  try {
    return await measure('Postgres', createPostgresStorage({ pool }), () => pool.query('vacuum analyze'))
  } finally {
    await pool.end()
    await server.stop()
  }
}

async function onSqlite(): Promise<Comparison[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'halyard-growth-'))
  const database = new Database(path.join(folder, 'flags.db'))
  try {
    return await measure('SQLite', createSqliteStorage({ database }))
  } finally {
    database.close()
    rmSync(folder, { recursive: true })
  }
}

async function measure(
  storageName: string,
  storage: Storage,
  prepare: () => Promise<unknown> = async () => {},
): Promise<Comparison[]> {
  const small = await fillAccount(storage, 'small', few)
  const large = await fillAccount(storage, 'large', many)
  await prepare()
  const name = `${few} flags`
  const calls = { getFlag: 'get', patchFlag: 'patch', 'createFlag and deleteFlag': 'createAndDelete' } as const
  const results: Comparison[] = []
  for (const [title, call] of Object.entries(calls)) {
    const peer = { name, run: small[call] }
    results.push(await compare({ suite, case: `${title}, ${storageName}`, ours: large[call], peer }))
  }
  await Promise.all([small.close(), large.close()])
  return results
}

/** Creates an account with this number of flags: an engine creates one, and its records are copied. */
async function fillAccount(storage: Storage, account: string, flags: number) {
  const engine = createEngine({ storage, account, rateLimit: false })
  await engine.migrate()
  const as = { as: (await engine.bootstrap())?.token as string }
  const keys = { projectKey: 'web', flagKey: 'f' }
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'Flag', tags: ['shop'] } }, as)
  const path = '/environments/production/on'
  await engine.api.patchFlag({ ...keys, body: [{ op: 'replace', path, value: true }] }, as)
  await engine.api.createFlagLink({ ...keys, body: { deepLink: 'https://example.com/f', key: 'ticket' } }, as)
  for await (const batch of copiesOf(storage, account, flagF, flags)) await storage.account(account).commit([batch])
  let patchCount = 0
  return {
    // `async`, because tinybench calls other functions once without waiting for them, and the next patch would
    // conflict.
    get: async () => engine.api.getFlag(keys, as),
    patch: async () =>
      engine.api.patchFlag({ ...keys, body: [{ op: 'replace', path: '/name', value: `Flag ${patchCount++}` }] }, as),
    async createAndDelete() {
      await engine.api.createFlag({ projectKey: 'web', body: { key: 'passing', name: 'Passing' } }, as)
      await engine.api.deleteFlag({ projectKey: 'web', flagKey: 'passing' }, as)
    },
    close: () => engine.close(),
  }
}
