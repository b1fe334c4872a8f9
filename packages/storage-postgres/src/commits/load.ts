import { type StoredRecord, storableJson } from '@halyard/core/storage'
import type { SqlScalar, Statement } from '../connections/sql-driver.ts'
import { sampleColumns } from '../samples/sample-changes.ts'
import { termsToJson } from '../samples/sample-terms.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import type { Tables } from '../schema/tables.ts'
import { bindAccount } from '../statements/account-binding.ts'

type Kind = StoredRecord['kind']
type RecordOf<K extends Kind> = Extract<StoredRecord, { readonly kind: K }>
type Column<K extends Kind> = readonly [name: string, type: string, of: (record: RecordOf<K>) => SqlScalar]

interface RecordTable<K extends Kind> {
  table(tables: Tables): string
  readonly columns: readonly Column<K>[]
}

/** The table and columns of each kind of record. */
const kinds: { readonly [K in Kind]: RecordTable<K> } = {
  document: {
    table: ({ documents }) => documents,
    columns: [
      ['collection', 'text', ({ id }) => id.collection],
      ['scope', 'text', ({ id }) => id.scope],
      ['key', 'text', ({ id }) => id.key],
      ['version', 'int', ({ version }) => version],
      ['body', 'text', ({ body }) => JSON.stringify(body)],
      ['fields', 'jsonb', ({ fields }) => storableJson(fields)],
    ],
  },
  member: {
    table: ({ members }) => members,
    columns: [
      ['scope', 'text', ({ set }) => set.scope],
      ['name', 'text', ({ set }) => set.name],
      ['member', 'text', ({ member }) => member],
    ],
  },
  sample: {
    table: ({ samples }) => samples,
    columns: [
      ['scope', 'text', ({ series }) => series.scope],
      ['name', 'text', ({ series }) => series.name],
      ...sampleColumns.map(([name, type, of]): Column<'sample'> => [name, type, ({ sample }) => of(sample)]),
      ['terms', 'text[]', ({ sample }) => termsToJson(sample)],
    ],
  },
  task: {
    table: ({ tasks }) => tasks,
    columns: [
      ['scope', 'text', ({ queue }) => queue.scope],
      ['name', 'text', ({ queue }) => queue.name],
      ['id', 'text', ({ task }) => task.id],
      ['lane', 'text', ({ task }) => task.lane],
      ['at', 'bigint', ({ task }) => task.at],
      ['due', 'bigint', ({ task }) => task.due],
      ['takes', 'int', () => 0],
      ['leased_until', 'bigint', () => 0],
      ['body', 'text', ({ task }) => JSON.stringify(task.body ?? null)],
    ],
  },
}

/**
 * Returns statements that insert records as they are. They fail with a unique violation when a record exists already.
 */
export function loadStatements(
  accountTables: AccountTables,
  records: readonly StoredRecord[],
  chunk: <T>(items: readonly T[]) => (readonly T[])[],
): Statement[] {
  const of = <K extends Kind>(kind: K) => {
    const ofKind = records.filter((record): record is RecordOf<K> => record.kind === kind)
    return chunk(ofKind).map((chunkOfKind) => loadStatement(accountTables, kinds[kind], chunkOfKind))
  }
  return [...of('document'), ...of('member'), ...of('sample'), ...of('task')]
}

function loadStatement<K extends Kind>(
  accountTables: AccountTables,
  { table, columns }: RecordTable<K>,
  records: readonly RecordOf<K>[],
): Statement {
  const { tables, owner, bind, values } = bindAccount(accountTables)
  // Clients may encode an array of these types in their own way, so text is sent instead.
  const parameterType = (type: string) => (type === 'jsonb' || type === 'text[]' ? 'text' : type)
  const arrays = columns.map(([, type, of]) => `${bind(records.map(of))}::${parameterType(type)}[]`)
  const names = columns.map(([name]) => name)
  const listExpression = (name: string) => `(select array_agg(j.term order by j.n)
    from jsonb_array_elements_text(t.${name}::jsonb) with ordinality as j(term, n))`
  const selected = columns.map(([name, type]) => (type === 'text[]' ? listExpression(name) : `t.${name}::${type}`))
  const text = `insert into ${table(tables)} (account, ${names.join(', ')})
    select ${owner}, ${selected.join(', ')} from unnest(${arrays.join(', ')}) as t(${names.join(', ')})`
  return { text, values }
}
