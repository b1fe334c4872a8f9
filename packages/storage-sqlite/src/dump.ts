import { fieldsFromJson, type StoredRecord } from '@halyard/core/storage'
import { dumpTable } from './migrations.ts'
import { sampleColumns, sampleOf } from './samples.ts'
import { fixedSql, type Sql, sql } from './sql.ts'
import { change, type Row, type SqliteDriver, type Statement, select } from './sqlite-driver.ts'
import { taskColumns, taskOf } from './tasks.ts'

/** Reads one kind of record. */
interface Kind {
  readonly name: StoredRecord['kind']
  readonly table: string
  readonly columns: readonly string[]
  readonly order: string
  /** Number of rows that are read at a time. Rows with a body can be large. */
  readonly rows: number
  record(row: Row): StoredRecord
}

/** In the order that the storage port prescribes. */
const kinds: readonly Kind[] = [
  {
    name: 'document',
    table: 'halyard_documents',
    columns: ['collection', 'scope', 'key', 'version', 'body', 'fields'],
    order: 'collection, scope, key',
    rows: 200,
    record: ({ collection, scope, key, version, body, fields }) => ({
      kind: 'document',
      id: { collection: String(collection), scope: String(scope), key: String(key) },
      version: Number(version),
      body: JSON.parse(String(body)),
      fields: fieldsFromJson(String(fields)),
    }),
  },
  {
    name: 'member',
    table: 'halyard_members',
    columns: ['scope', 'name', 'member'],
    order: 'scope, name, member',
    rows: 5000,
    record: (row) => ({ kind: 'member', set: ownerOf(row), member: String(row.member) }),
  },
  {
    name: 'sample',
    table: 'halyard_samples',
    columns: ['scope', 'name', ...sampleColumns],
    order: 'scope, name, at, id',
    rows: 1000,
    record: (row) => ({ kind: 'sample', series: ownerOf(row), sample: sampleOf(row) }),
  },
  {
    name: 'task',
    table: 'halyard_tasks',
    columns: taskColumns,
    order: 'scope, name, at, id',
    rows: 1000,
    record: (row) => ({ kind: 'task', queue: ownerOf(row), task: taskOf(row) }),
  },
]

/** Age after which the copy of a dump that was not read to the end is deleted, ms. */
const maxDumpAgeMs = 24 * 60 * 60 * 1000

/**
 * Yields everything that an account stores, in the order that the storage port prescribes, as it was at one moment.
 *
 * No transaction stays open while the caller reads, because other callers use the same connection. The records are
 * copied in one transaction, into a temporary table where the database has them.
 */
export async function* dumpRecords(driver: SqliteDriver, account: string): AsyncGenerator<readonly StoredRecord[]> {
  const dump = crypto.randomUUID()
  const table = fixedSql(driver.hasTemporaryTables ? 'temp.halyard_dumped' : 'halyard_dumped')
  const run = async (statements: readonly Statement[]) => {
    // A temporary table belongs to the connection, so copying into it does not lock the database.
    if (driver.hasTemporaryTables) await driver.read(statements)
    else await driver.write([statements])
  }
  if (driver.hasTemporaryTables) await run([change(fixedSql(dumpTable('halyard_dumped', 'temp')))])
  const started = Date.now()
  const expired = change(sql`delete from ${table} where started < ${started - maxDumpAgeMs}`)
  await run([expired, ...kinds.map((kind) => change(copySql(table, kind, { dump, started, account })))])
  try {
    for (let i = 0, after = 0; i < kinds.length; i++)
      after = yield* copiedRecords({ driver, table, dump }, kinds[i]!, after)
  } finally {
    await run([change(sql`delete from ${table} where dump = ${dump}`)])
  }
}

function copySql(
  table: Sql,
  { name, table: source, columns, order }: Kind,
  { dump, started, account }: { readonly dump: string; readonly started: number; readonly account: string },
): Sql {
  const copies = fixedSql(columns.map((_, i) => `c${i}`).join(', '))
  return sql`insert into ${table} (dump, started, kind, ${copies})
    select ${dump}, ${started}, ${name}, ${fixedSql(columns.join(', '))} from ${fixedSql(source)}
    where account = ${account} order by ${fixedSql(order)}`
}

/** The copy of the records of an account, and the table that contains it. */
interface RecordCopy {
  readonly driver: SqliteDriver
  readonly table: Sql
  readonly dump: string
}

async function* copiedRecords(
  { driver, table, dump }: RecordCopy,
  { name, columns, rows: limit, record }: Kind,
  after: number,
): AsyncGenerator<readonly StoredRecord[], number> {
  const selected = fixedSql(columns.map((column, i) => `c${i} as ${column}`).join(', '))
  for (let last = after; ; ) {
    const [rows = []] = await driver.read([
      select(sql`select n, ${selected} from ${table}
        where dump = ${dump} and kind = ${name} and n > ${last} order by n limit ${limit}`),
    ])
    if (rows.length > 0) yield rows.map(record)
    last = Number(rows.at(-1)?.n ?? last)
    if (rows.length < limit) return last
  }
}

function ownerOf({ name, scope }: Row) {
  return { name: String(name), scope: String(scope) }
}
