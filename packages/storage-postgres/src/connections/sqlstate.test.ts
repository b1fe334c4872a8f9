import { isStorageUnavailable } from '@halyard/core/storage'
import { describe, expect, it } from 'vitest'
import { createSqlStorage } from '../sql-storage.ts'
import type { SqlDriver, SqlResult, Statement } from './sql-driver.ts'

const id = { collection: 'flags', scope: 'proj/p', key: 'a' }
const emptyResult: SqlResult<never> = { rows: [], count: 0 }

/** Returns a storage whose driver executes the test's function for each statement, and the statements it received. */
function scriptedStorage(respond: (statement: Statement) => SqlResult<unknown>) {
  const statements: Statement[] = []
  const query = async (statement: Statement) => {
    statements.push(statement)
    return respond(statement) as SqlResult<never>
  }
  const driver: SqlDriver = {
    query,
    transaction: (work) => work(query),
    async *read([selection]) {
      if (selection) yield { selection: 0, rows: (await query(selection)).rows }
    },
    close: async () => {},
  }
  return { asked: statements, account: createSqlStorage({ name: 'scripted', driver }).account('acme') }
}

function fail(code: string | undefined, message = 'of the driver'): never {
  throw Object.assign(new Error(message), code === undefined ? {} : { code })
}

describe('an error of the driver', () => {
  it.each([
    ['08000', 'connection_exception'],
    ['08006', 'connection_failure'],
    ['53100', 'disk_full'],
    ['53300', 'too_many_connections'],
    ['57014', 'query_canceled'],
    ['57P01', 'admin_shutdown'],
    ['57P02', 'crash_shutdown'],
    ['57P03', 'cannot_connect_now'],
    ['ECONNREFUSED', ''],
    ['ECONNRESET', ''],
    ['ENOENT', 'connect /run/postgresql/.s.PGSQL.5432'],
    ['EPIPE', ''],
    [undefined, 'Connection terminated unexpectedly'],
    [undefined, 'Connection terminated due to connection timeout'],
    [undefined, 'timeout exceeded when trying to connect'],
    [undefined, 'Cannot use a pool after calling end on the pool'],
    [undefined, 'Client has encountered a connection error and is not queryable'],
    [undefined, 'PGlite is closed'],
  ])('%s (%s) makes the storage unavailable', async (code, message) => {
    const { account } = scriptedStorage(() => fail(code, message))
    const error = await account.get(id).catch((thrown: unknown) => thrown)
    expect(isStorageUnavailable(error)).toBe(true)
    expect(error).toMatchObject({ cause: { message } })
  })

  it.each(['3F000', '42P01', '42703', '42883'])(
    '%s leads to an error that asks the caller to run migrate()',
    async (code) => {
      const { account } = scriptedStorage(() => fail(code))
      const error = await account.get(id).catch((thrown: unknown) => thrown)
      expect(isStorageUnavailable(error)).toBe(true)
      expect(String(error)).toContain('run migrate()')
    },
  )

  it.each([['22P02'], ['42601'], ['42501'], ['28P01'], [undefined]])(
    '%s is a defect and rethrown unchanged',
    async (code) => {
      const { account } = scriptedStorage(() => fail(code, 'a defect'))
      await expect(account.get(id)).rejects.toThrow(/^a defect$/)
    },
  )
})

describe('a commit that the database rolled back', () => {
  it.each(['YH001', '23505', '40001', '40P01'])('for %s is explained by the versions that exist now', async (code) => {
    const { account } = scriptedStorage(({ text }) => (text.startsWith('with') ? fail(code) : versionRow(7)))
    const commit = (change: 'insert' | 'expect') =>
      account.commit([change === 'insert' ? { do: change, id, body: {}, fields: {} } : { do: change, id, version: 6 }])
    expect(await commit('insert')).toEqual({ outcome: 'exists', change: 0 })
    expect(await commit('expect')).toEqual({ outcome: 'conflict', change: 0 })
  })

  it('is tried once more when no precondition is false', async () => {
    let deadlocks = 1
    const { account } = scriptedStorage(({ text }) =>
      text.startsWith('with') && deadlocks-- > 0 ? fail('40P01') : versionRow(7),
    )
    expect(await account.commit([{ do: 'remove', id, version: 7 }])).toEqual({ outcome: 'committed', counts: [1] })
  })

  it('is a conflict of its first precondition when the second attempt fails too', async () => {
    const { account, asked: statements } = scriptedStorage(({ text }) =>
      text.startsWith('with') ? fail('40001') : versionRow(7),
    )
    const set = { name: 'set', scope: '' }
    const batch = [{ do: 'add-keys', set, keys: ['m'] } as const, { do: 'remove', id, version: 7 } as const]
    expect(await account.commit(batch)).toEqual({ outcome: 'conflict', change: 1 })
    expect(statements.filter(({ text }) => text.startsWith('with'))).toHaveLength(2)
  })

  function versionRow(version: number): SqlResult<unknown> {
    return { ...emptyResult, rows: [{ place: 1, version }] }
  }
})
