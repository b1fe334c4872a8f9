import type { Change } from '@halyard/core/storage'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HostDatabase, onPostgres } from './setup/host-database.ts'
import { postgresStorages } from './setup/postgres-storages.ts'

describe('transactions of the host on Postgres', () => {
  let database: HostDatabase
  const storages = postgresStorages()
  beforeAll(async () => {
    database = await onPostgres()
    await database.storage().migrate()
  })
  afterAll(async () => {
    await database.dispose()
    await storages.dispose()
  })
  const id = { collection: 'things', scope: '', key: 'raced' }
  const replace = (version: number, body: unknown): Change => ({ do: 'replace', id, version, body, fields: {} })

  it.each(['read committed', 'repeatable read', 'serializable'])(
    'a write conflict under %s is reported as a conflict, and the transaction continues',
    async (level) => {
      const storage = database.storage()
      const outside = storage.account(level)
      await outside.commit([{ do: 'insert', id, body: 1, fields: {} }])
      await database.transact(async (transaction) => {
        await transaction.query('rollback')
        await transaction.query(`begin isolation level ${level}`)
        const inside = storage.within?.(transaction).account(level)
        expect(await inside?.get(id)).toMatchObject({ version: 1 })
        await outside.commit([replace(1, 'outside')])
        expect(await inside?.commit([replace(1, 'inside')])).toEqual({ outcome: 'conflict', change: 0 })
        const otherId = { ...id, key: 'other' }
        expect(await inside?.commit([{ do: 'insert', id: otherId, body: 1, fields: {} }])).toMatchObject({
          outcome: 'committed',
        })
      })
      expect(await outside.get(id)).toMatchObject({ version: 2, body: 'outside' })
      expect(await outside.get({ ...id, key: 'other' })).toMatchObject({ version: 1 })
    },
  )

  it('changes are invisible outside the transaction until it commits', async () => {
    const storage = database.storage()
    await database.transact(async (transaction) => {
      await storage
        .within?.(transaction)
        .account('unseen')
        .commit([{ do: 'insert', id, body: 1, fields: {} }])
      expect(await storage.account('unseen').get(id)).toBeUndefined()
    })
    expect(await storage.account('unseen').get(id)).toMatchObject({ version: 1 })
  })

  it('the storage sends no begin, commit or rollback, and three statements for a batch', async () => {
    const sentStatements: string[] = []
    await database.transact(async (transaction) => {
      const client = transaction as unknown as pg.PoolClient
      const recordingClient = {
        query(statement: { text: string; values?: unknown[] }) {
          sentStatements.push(statement.text.split(' ').slice(0, 2).join(' '))
          return client.query(statement)
        },
      }
      const account = database.storage().within?.(recordingClient).account('spied')
      await account?.commit([{ do: 'insert', id, body: 1, fields: {} }])
      expect(sentStatements).toEqual(['savepoint halyard_batch', 'with insert_rows0', 'release savepoint'])
      await Promise.all([account?.get(id), account?.get({ ...id, key: 'other' })])
      expect(sentStatements).toHaveLength(4)
    })
  })

  it('within() throws for a pool', () => {
    expect(() => database.storage().within?.(storages.pool)).toThrow('not the pool itself')
  })
})
