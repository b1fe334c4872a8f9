import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isStorageUnavailable } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { ownSchema } from './setup/own-schema.ts'
import { at, insert, sample, series, set } from './setup/postgres-records.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'
import { testPostgres } from './setup/test-postgres.ts'

const storages = postgresStorages()
const { pool } = storages
afterAll(() => storages.dispose())

describe('migrations', () => {
  it('calls on a schema without tables reject with a message that names migrate()', async () => {
    const storage = createPostgresStorage({ pool, schema: ownSchema(pool) })
    const account = storage.account('acme')
    const calls = [
      () => storage.ping(),
      () => account.get(at('a')),
      () => account.commit([insert('a')]),
      () => account.countKeys(set),
      () => account.newest({ series, limit: 1 }),
    ]
    for (const call of calls) {
      const error = await call().catch((thrown: unknown) => thrown)
      expect(isStorageUnavailable(error)).toBe(true)
      expect(String(error)).toContain('run migrate()')
    }
  })

  it('many processes may migrate concurrently', async () => {
    const schema = ownSchema(pool)
    const storages = Array.from({ length: 8 }, () => createPostgresStorage({ pool, schema }))
    await Promise.all(storages.map((storage) => storage.migrate()))
    await Promise.all(storages.map((storage) => storage.ping()))
  })

  it('migrate() rejects on a schema of a newer version', async () => {
    const schema = ownSchema(pool)
    const storage = createPostgresStorage({ pool, schema })
    await storage.migrate()
    await pool.query(`insert into ${schema}.migrations (version) values (999)`)
    await expect(storage.migrate()).rejects.toThrow(/version 999.*update Halyard/)
    const error = await storage.ping().catch((thrown: unknown) => thrown)
    expect(isStorageUnavailable(error)).toBe(true)
  })

  it('migrate() indexes the terms of samples that an older version has written', async () => {
    const schema = ownSchema(pool)
    const storage = createPostgresStorage({ pool, schema })
    await storage.migrate()
    const account = storage.account('acme')
    const old = { ...sample, id: 'old', at: 1, terms: ['rare'] }
    const newer = Array.from({ length: 1500 }, (_, i) => ({ ...sample, id: `${i}`, at: 2, terms: ['any'] }))
    await account.commit([{ do: 'append', series, samples: [old, ...newer] }])
    // Version 4 had a row for each term of each sample, and no index of fields.
    const functions = ['term_hashes', 'query_hashes', 'document_terms', 'trigrams'].map((name) => `${schema}.${name}`)
    const indexes = ['documents_by_name', 'documents_by_creation'].map((name) => `${schema}.${name}`)
    await pool.query(`delete from ${schema}.migrations where version > 4;
      drop function ${functions.join(', ')} cascade; drop index ${indexes.join(', ')};
      create table ${schema}.sample_terms (account text)`)
    await expect(storage.ping()).rejects.toThrow('run migrate()')
    await storage.migrate()
    expect(await account.newest({ series, limit: 1, terms: [['rare']] })).toEqual([old])
    const { rows } = await pool.query(`select to_regclass('${schema}.sample_terms') as sample_terms`)
    expect(rows).toEqual([{ sample_terms: null }])
  })

  it('migrate() blocks no readers of documents while it builds indexes of them again', async () => {
    const { schema, storage } = await schemaOfVersionSix()
    const reader = await pool.connect()
    try {
      await reader.query(`begin; select from ${schema}.documents limit 1`)
      const migrated = storage.migrate()
      // The migration has built the new indexes, and waits for the reader only in order to remove the old indexes.
      const locksOfMigration = `select mode from pg_locks where granted and relation = '${schema}.documents'::regclass
        and pid in (select pid from pg_locks where not granted and relation = '${schema}.documents'::regclass)`
      await expect
        .poll(async () => (await pool.query(locksOfMigration)).rows, patience)
        .toContainEqual({
          mode: 'ShareLock',
        })
      await reader.query('commit')
      await migrated
    } finally {
      reader.release()
    }
    expect(await definitions(schema)).toEqual(await definitions(await newestSchema()))
  })

  it('migrate() uses complete indexes that were built before, and builds incomplete ones again', async () => {
    const { schema, storage } = await schemaOfVersionSix()
    // The query of the guide returns the statements.
    const { rows } = await pool.query({ text: queryOfGuide.replace("'halyard'", `'${schema}'`), rowMode: 'array' })
    expect(rows.length).toBe(rebuiltIndexes.length)
    for (const [statement] of rows) await pool.query(statement)
    // An interrupted `create index concurrently` leaves an index in this state.
    await pool.query(
      `update pg_index set indisvalid = false where indexrelid = '${schema}.documents_by_name_next'::regclass`,
    )
    const idOf = async (index: string) =>
      (await pool.query(`select to_regclass('${schema}.${index}')::oid::text as id`)).rows[0].id
    const built = await Promise.all(rebuiltIndexes.map((index) => idOf(`${index}_next`)))
    await storage.migrate()
    const used = await Promise.all(rebuiltIndexes.map(idOf))
    // Version 8 builds the index of fields again, with other terms.
    expect(used.map((id, i) => id === built[i])).toEqual([false, true, false])
    expect(await definitions(schema)).toEqual(await definitions(await newestSchema()))
  })

  it('migrate() needs no right to create schemas when the schema exists', async () => {
    const schema = ownSchema(pool)
    await pool.query(`create role ${schema} login; create schema ${schema} authorization ${schema}`)
    const limited = new pg.Pool({ ...testPostgres, user: schema, max: 1 })
    onTestFinished(async () => {
      await limited.end()
      await pool.query(`drop owned by ${schema}; drop role ${schema}`)
    })
    const storage = createPostgresStorage({ pool: limited, schema })
    await storage.migrate()
    expect(await storage.account('acme').commit([insert('a')])).toMatchObject({ outcome: 'committed' })
  })

  it('migrate() rejects on a database that is not UTF-8', async () => {
    const name = uniqueSchema()
    await pool.query(`create database ${name} encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`)
    const ascii = new pg.Pool({ ...testPostgres, database: name, max: 1 })
    onTestFinished(async () => {
      await ascii.end()
      await pool.query(`drop database ${name}`)
    })
    await expect(createPostgresStorage({ pool: ascii }).migrate()).rejects.toThrow('SQL_ASCII')
  })
})

const guide = readFileSync(path.join(import.meta.dirname, '../docs/guide/storage.md'), 'utf8')
const queryOfGuide = /```sql\n([^`]*CONCURRENTLY[^`]*)```/.exec(guide)?.[1] as string

const patience = { timeout: 60_000, interval: 20 }

/** Indexes that version 7 builds again. */
const rebuiltIndexes = ['documents_by_name', 'documents_by_creation', 'documents_by_fields']

async function newestSchema(): Promise<string> {
  const schema = ownSchema(pool)
  await createPostgresStorage({ pool, schema }).migrate()
  return schema
}

/** Makes a schema of version 6, in which the indexes of lists contain all documents. Inserts some documents. */
async function schemaOfVersionSix() {
  const schema = await newestSchema()
  const storage = createPostgresStorage({ pool, schema })
  await storage.account('acme').commit(Array.from({ length: 50 }, (_, i) => insert(`document-${i}`)))
  // The terms of version 6 do not matter: no statement of the newest version reads them.
  await pool.query(`create function ${schema}.field_hashes(account text, collection text, scope text, key text, fields jsonb)
    returns bigint[] language sql immutable as 'select array[hashtextextended(key, 0)]'`)
  for (const index of rebuiltIndexes) {
    const { rows } = await pool.query(`select pg_get_indexdef('${schema}.${index}'::regclass) as definition`)
    const [definition] = rows[0].definition.split(' WHERE ')
    await pool.query(`drop index ${schema}.${index}; ${definition.replace('document_terms', 'field_hashes')}`)
  }
  await pool.query(`drop function ${schema}.document_terms`)
  await pool.query(`delete from ${schema}.migrations where version > 6`)
  return { schema, storage }
}

/** Returns the definitions of all indexes of a schema, without its name. */
async function definitions(schema: string): Promise<string[]> {
  const text = `select indexdef from pg_indexes where schemaname = '${schema}' order by indexname`
  return (await pool.query(text)).rows.map(({ indexdef }) => indexdef.replaceAll(`${schema}.`, ''))
}
