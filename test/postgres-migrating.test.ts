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
    const functions = ['term_hashes', 'query_hashes', 'field_hashes', 'trigrams'].map((name) => `${schema}.${name}`)
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
