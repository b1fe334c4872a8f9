import { randomUUID } from 'node:crypto'
import type pg from 'pg'

type Row = Readonly<Record<string, unknown>>

/** Rows of one table that a transaction writes. */
interface WrittenRows {
  readonly table: string
  readonly rows: readonly Row[]
}

/**
 * Reads the rows that the last change wrote, in all tables, and prepares a bare transaction (begin; the same rows;
 * commit) that writes equal rows into copies of these tables.
 *
 * @returns the transaction, and the number of rows that it writes.
 */
export async function bareTransaction(pool: pg.Pool): Promise<{ run: () => Promise<void>; rows: number }> {
  await pool.query('drop schema if exists bare cascade; create schema bare')
  const writtenTables = await readLastWritten(pool)
  for (const { table } of writtenTables)
    await pool.query(`create table bare.${table} (like halyard.${table} including all)`)
  const inserts = writtenTables.map(({ table, rows }) => insertOf(table, rows))
  async function run(): Promise<void> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      for (const { name, text, values } of inserts) await client.query({ name, text, values: values() })
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  return { run, rows: writtenTables.reduce((sum, { rows }) => sum + rows.length, 0) }
}

/**
 * Returns the rows that the last change wrote, by table. Every change writes a change log entry, so the rows with the
 * same transaction number as the newest entry belong to it.
 */
async function readLastWritten(pool: pg.Pool): Promise<WrittenRows[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'halyard'`,
  )
  const { rows: last } = await pool.query<{ id: string }>(
    'select max(xmin::text::bigint)::text as id from halyard.samples',
  )
  const writtenTables: WrittenRows[] = []
  for (const { name } of tables) {
    const text = `select to_jsonb(t) as row from halyard.${name} t where xmin::text = $1`
    const { rows } = await pool.query<{ row: Row }>(text, [last[0]?.id])
    if (rows.length > 0) writtenTables.push({ table: name, rows: rows.map(({ row }) => row) })
  }
  return writtenTables
}

/** Returns one statement for the rows of a table: documents replace existing ones, all other rows are new each time. */
function insertOf(table: string, rows: readonly Row[]) {
  const columns = Object.keys(rows[0] as Row)
  const tuple = (rowIndex: number) => `(${columns.map((_, i) => `$${rowIndex * columns.length + i + 1}`).join(', ')})`
  const onConflict = `on conflict (account, collection, scope, key) do update
    set version = excluded.version, body = excluded.body, fields = excluded.fields`
  const text = `insert into bare.${table} (${columns.join(', ')}) values ${rows.map((_, rowIndex) => tuple(rowIndex)).join(', ')}
    ${columns.includes('collection') ? onConflict : ''}`
  const values = () =>
    rows.flatMap((row) => columns.map((column) => (column === 'id' ? randomUUID() : asParameter(row[column]))))
  return { name: `bare ${table} ${rows.length}`, text, values }
}

/** Lists are parameters of array columns, and other objects are parameters of JSON columns. */
function asParameter(value: unknown): unknown {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
