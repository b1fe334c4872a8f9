import {
  type Change,
  documentAddress,
  isDocumentChange,
  type OtherRecord,
  recordAddress,
  type StoredRecord,
  type StoredState,
  taskAddress,
} from '@halyard/core/storage'
import { getVersions } from './documents.ts'
import { rowChunks } from './row-source.ts'
import { fixedSql, sql } from './sql.ts'
import { type AccountDatabase, select } from './sqlite-driver.ts'
import { getTakes } from './tasks.ts'

/** Reads what the preconditions of a batch depend on, to find the precondition that is false. */
export async function readStoredState(database: AccountDatabase, batch: readonly Change[]): Promise<StoredState> {
  const { driver, account } = database
  const records = batch.flatMap((change): readonly StoredRecord[] => (change.do === 'load' ? change.records : []))
  const loadedIds = records.flatMap((record) => (record.kind === 'document' ? [record.id] : []))
  const ids = [...batch.filter(isDocumentChange).map(({ id }) => id), ...loadedIds]
  const tasks = batch.flatMap((change) => (change.do === 'finish' || change.do === 'postpone' ? [change] : []))
  const versions = await getVersions({ driver, account }, ids)
  const takes = await getTakes({ driver, account }, tasks)
  const existing = await existingRecords(database, records)
  const versionOf = new Map(ids.map((id, i) => [documentAddress(id), versions[i]]))
  const takesOf = new Map(tasks.map(({ queue, task }, i) => [taskAddress(queue, task), takes[i]]))
  return {
    versionOf: (id) => versionOf.get(documentAddress(id)),
    takesOf: (queue, task) => takesOf.get(taskAddress(queue, task)),
    contains: (record) => existing.has(recordAddress(record)),
  }
}

const tables: Readonly<Record<OtherRecord['kind'], readonly [table: string, id: string]>> = {
  member: ['halyard_members', 'member'],
  sample: ['halyard_samples', 'id'],
  task: ['halyard_tasks', 'id'],
}

async function existingRecords(
  { driver, account }: AccountDatabase,
  records: readonly StoredRecord[],
): Promise<ReadonlySet<string>> {
  const existing = new Set<string>()
  for (const [kind, [table, id]] of Object.entries(tables)) {
    const ofKind = records.filter((record): record is OtherRecord => record.kind === kind)
    const rows = ofKind.map((record, place) => [place, ...addressParts(record)])
    for (const { source } of rowChunks(['place', 'scope', 'name', 'id'], rows)) {
      const [found = []] = await driver.read([
        select(sql`select w.place from (${source}) w cross join ${fixedSql(table)} t
          on t.account = ${account} and t.scope = w.scope and t.name = w.name and ${fixedSql(`t.${id}`)} = w.id`),
      ])
      for (const { place } of found) existing.add(recordAddress(ofKind[Number(place)] as OtherRecord))
    }
  }
  return existing
}

function addressParts(record: OtherRecord): string[] {
  switch (record.kind) {
    case 'member':
      return [record.set.scope, record.set.name, record.member]
    case 'sample':
      return [record.series.scope, record.series.name, record.sample.id]
    case 'task':
      return [record.queue.scope, record.queue.name, record.task.id]
  }
}
