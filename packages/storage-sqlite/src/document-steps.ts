import { type DocumentChange, documentAddress, storableJson } from '@halyard/core/storage'
import { rowChunks } from './row-source.ts'
import { type Sql, type SqlValue, sql } from './sql.ts'
import { change as changing } from './sqlite-driver.ts'
import type { Step } from './step.ts'

type Verb = DocumentChange['do']

const idColumns = ['collection', 'scope', 'key']

/** Columns of the rows that each kind of change writes or looks up. */
const columns: Readonly<Record<Verb, readonly string[]>> = {
  insert: [...idColumns, 'body', 'fields'],
  ensure: [...idColumns, 'body', 'fields'],
  replace: [...idColumns, 'version', 'body', 'fields'],
  remove: [...idColumns, 'version'],
  expect: [...idColumns, 'version'],
  discard: idColumns,
}

/** The addresses of the documents that each run of changes concerns. */
const addresses = new WeakMap<readonly DocumentChange[], Set<string>>()

/**
 * Returns true when a change can share statements with the changes of a run: it is of the same kind, and concerns
 * another document.
 */
export function joinsRun(run: readonly DocumentChange[], change: DocumentChange): boolean {
  const [first] = run
  if (first && first.do !== change.do) return false
  const seen = addresses.get(run) ?? new Set()
  addresses.set(run, seen)
  const address = documentAddress(change.id)
  if (seen.has(address)) return false
  seen.add(address)
  return true
}

/** Plans the statements of changes of one kind. Each change is about a different document. */
export function documentSteps(account: string, run: readonly DocumentChange[]): Step[] {
  const [first] = run
  if (!first) return []
  const stepsOf = (verb: Exclude<Verb, 'replace'>, rows: readonly (readonly SqlValue[])[]) =>
    rowChunks(columns[verb], rows).map(({ source }) => ({ statement: changing(statementOf(account, verb, source)) }))
  const steps = first.do === 'replace' ? replaceSteps(account, run.map(rowOf)) : stepsOf(first.do, run.map(rowOf))
  // The versions are compared before the change. The number of changed rows after it cannot be used, because the next
  // statement first writes the pending terms of documents, which changes that number.
  return first.do === 'replace' || first.do === 'remove' ? [...stepsOf('expect', run.map(versionOf)), ...steps] : steps
}

/**
 * Plans two statements: SQLite writes each index of a column that a statement sets, so the fields are set only where
 * they differ. After the first statement has replaced a document, its version differs, so the second statement leaves
 * the document unchanged.
 */
function replaceSteps(account: string, rows: readonly (readonly SqlValue[])[]): Step[] {
  return rowChunks(columns.replace, rows).flatMap(({ source }) =>
    [true, false].map((setsFields) => ({
      statement: changing(replaceSql(account, source, setsFields)),
    })),
  )
}

function replaceSql(account: string, source: Sql, setsFields: boolean): Sql {
  const fields = setsFields ? sql`, fields = excluded.fields` : sql``
  const isChanged = setsFields ? sql`and halyard_documents.fields <> excluded.fields` : sql``
  // Nothing is inserted: each row conflicts with its document, whose version an earlier statement of the transaction
  // has compared. An `update` from several rows is not used, because SQLite would read all documents of the account for
  // it.
  return sql`insert into ${rowSql(account, source)} where true
    on conflict (account, collection, scope, key) do update set version = halyard_documents.version + 1, body = excluded.body ${fields}
    where halyard_documents.version = excluded.version ${isChanged}`
}

/** Returns the SQL of an insertion: its target, and its rows with the version in each row or with `version`. */
function rowSql(account: string, source: Sql, version: Sql = sql`w.version`): Sql {
  return sql`halyard_documents (account, collection, scope, key, version, body, fields)
    select ${account}, w.collection, w.scope, w.key, ${version}, w.body, w.fields from (${source}) w`
}

function sameDocumentSql(account: string): Sql {
  return sql`d.account = ${account} and d.collection = w.collection and d.scope = w.scope and d.key = w.key`
}

function versionOf(change: DocumentChange): SqlValue[] {
  const { collection, scope, key } = change.id
  return [collection, scope, key, 'version' in change ? change.version : null]
}

function rowOf(change: DocumentChange): SqlValue[] {
  const { collection, scope, key } = change.id
  const version = 'version' in change ? [change.version] : []
  const content = 'body' in change ? [JSON.stringify(change.body ?? null), storableJson(change.fields)] : []
  return [collection, scope, key, ...version, ...content]
}

function statementOf(account: string, verb: Exclude<Verb, 'replace'>, source: Sql): Sql {
  const sameDocument = sameDocumentSql(account)
  const row = rowSql(account, source, sql`1`)
  switch (verb) {
    case 'insert':
      return sql`insert into ${row}`
    case 'ensure':
      return sql`insert or ignore into ${row}`
    case 'remove':
    case 'discard': {
      const sameVersion = verb === 'remove' ? sql`and d.version = w.version` : sql``
      return sql`delete from halyard_documents where rowid in (
        select d.rowid from (${source}) w cross join halyard_documents d on ${sameDocument} ${sameVersion})`
    }
    case 'expect':
      return sql`insert into halyard_refusals (refused) select 1
        from (${source}) w left join halyard_documents d on ${sameDocument}
        where d.version is null or d.version <> w.version limit 1`
  }
}
