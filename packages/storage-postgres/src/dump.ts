import { fieldsFromJson, type Sample, type StoredRecord } from '@halyard/core/storage'
import type { SelectedRows, Selection, SqlDriver } from './connections/sql-driver.ts'
import { termsFromJson } from './samples/sample-terms.ts'
import type { AccountTables } from './schema/account-tables.ts'
import type { Tables } from './schema/tables.ts'

type Row = SelectedRows['rows'][number]

/** Reads one kind of record. */
interface Kind {
  /** Number of rows that are fetched at a time. Rows with a body can be large. */
  readonly rows: number
  select(tables: Tables): string
  record(row: Row): StoredRecord
}

const valueColumns = Array.from({ length: 8 }, (_, column) => `v${column}`)

/** In the order that the storage port prescribes. */
const kinds: readonly Kind[] = [
  {
    rows: 200,
    select: ({ documents }) =>
      `select collection, scope, key, version, body, fields::text as fields from ${documents} where account = $1
       order by collection, scope, key`,
    record: (row) => ({
      kind: 'document',
      id: { collection: String(row.collection), scope: String(row.scope), key: String(row.key) },
      version: Number(row.version),
      body: JSON.parse(String(row.body)),
      fields: fieldsFromJson(String(row.fields)),
    }),
  },
  {
    rows: 5000,
    select: ({ members }) =>
      `select scope, name, member from ${members} where account = $1 order by scope, name, member`,
    record: (row) => ({ kind: 'member', set: ownerOf(row), member: String(row.member) }),
  },
  {
    rows: 1000,
    select: ({ samples }) =>
      `select scope, name, id, at::float8 as at, label, width, ${valueColumns.join(', ')}, body,
         to_json(terms)::text as terms from ${samples}
       where account = $1 order by scope, name, samples.at, id`,
    record: (row) => ({ kind: 'sample', series: ownerOf(row), sample: sampleOf(row) }),
  },
  {
    rows: 1000,
    select: ({ tasks }) =>
      `select scope, name, id, lane, at::float8 as at, due::float8 as due, body from ${tasks}
       where account = $1 order by scope, name, tasks.at, id`,
    record: (row) => ({
      kind: 'task',
      queue: ownerOf(row),
      task: {
        id: String(row.id),
        lane: String(row.lane),
        at: Number(row.at),
        due: Number(row.due),
        body: JSON.parse(String(row.body)),
      },
    }),
  },
]

/** Yields everything that an account stores, in the order that the storage port prescribes, as of one snapshot. */
export async function* dumpRecords(
  driver: Pick<SqlDriver, 'read'>,
  { tables, account }: AccountTables,
): AsyncGenerator<readonly StoredRecord[]> {
  const selections = kinds.map((kind): Selection => ({ text: kind.select(tables), values: [account], rows: kind.rows }))
  for await (const { selection, rows } of driver.read(selections)) {
    const kind = kinds[selection]
    if (kind) yield rows.map(kind.record)
  }
}

function ownerOf({ name, scope }: Row) {
  return { name: String(name), scope: String(scope) }
}

function sampleOf(row: Row): Sample {
  const number = (value: Row[string]) => (typeof value === 'number' ? value : null)
  return {
    id: String(row.id),
    at: Number(row.at),
    label: String(row.label),
    values: Array.from({ length: Number(row.width) }, (_, column) => number(row[`v${column}`] ?? null)),
    body: JSON.parse(String(row.body)),
    ...(typeof row.terms === 'string' ? { terms: termsFromJson(row.terms) } : {}),
  }
}
