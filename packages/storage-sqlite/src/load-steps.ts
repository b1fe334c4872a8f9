import { type StoredRecord, storableJson } from '@halyard/core/storage'
import { rowChunks } from './row-source.ts'
import { sampleColumns, sampleRow } from './samples.ts'
import { fixedSql, type SqlValue, sql } from './sql.ts'
import { countedSteps, type Step } from './step.ts'
import { taskColumns, taskRow } from './tasks.ts'

type Kind = StoredRecord['kind']

/** The table and columns of each kind of record. */
const tables: Readonly<Record<Kind, readonly [table: string, columns: readonly string[]]>> = {
  document: ['halyard_documents', ['collection', 'scope', 'key', 'version', 'body', 'fields']],
  member: ['halyard_members', ['scope', 'name', 'member']],
  sample: ['halyard_samples', ['scope', 'name', ...sampleColumns]],
  task: ['halyard_tasks', taskColumns],
}

/** Plans statements that insert records as they are. They violate a key when a record exists already. */
export function loadSteps(account: string, index: number, records: readonly StoredRecord[]): Step[] {
  const kinds = Object.entries(tables) as [Kind, (typeof tables)[Kind]][]
  return kinds.flatMap(([kind, [table, columns]]) => {
    const rows = records.filter((record) => record.kind === kind).map(rowOf)
    return rowChunks(columns, rows).flatMap(({ source }) =>
      countedSteps(
        sql`insert into ${fixedSql(table)} (account, ${fixedSql(columns.join(', '))})
          select ${account}, w.* from (${source}) w`,
        index,
      ),
    )
  })
}

function rowOf(record: StoredRecord): SqlValue[] {
  switch (record.kind) {
    case 'document': {
      const { id, version, body, fields } = record
      return [id.collection, id.scope, id.key, version, JSON.stringify(body ?? null), storableJson(fields)]
    }
    case 'member':
      return [record.set.scope, record.set.name, record.member]
    case 'sample':
      return [record.series.scope, record.series.name, ...sampleRow(record.sample)]
    case 'task':
      return taskRow(record.queue, record.task)
  }
}
