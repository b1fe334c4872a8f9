import { type DocumentChange, storableJson } from '@halyard/core/storage'
import type { SqlScalar, Statement } from '../connections/sql-driver.ts'
import { type AppendedSample, appendFewParts, appendManyParts } from '../samples/sample-changes.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import { type AccountBinding, bindAccount } from '../statements/account-binding.ts'
import { arrayRows } from '../statements/array-rows.ts'
import type { Bind } from '../statements/bind.ts'
import { compareTexts } from '../statements/compare-texts.ts'
import { type IndexedTaskChange, taskParts } from '../tasks/task-changes.ts'
import type { ChangeNotification } from './change-notification.ts'
import { type Sweep, sweepSql } from './sweep.ts'

/** Parts of a batch that can share one statement. Each document and each task occurs once. */
export interface StatementParts {
  readonly documents: readonly DocumentChange[]
  /** Samples to append. Nearly every change appends an entry to a log. */
  readonly appended?: readonly AppendedSample[]
  readonly tasks?: readonly IndexedTaskChange[]
  /** Sweeps that the SQL function `sweep` can run. They run when all preconditions are true. */
  readonly sweeps?: readonly Sweep[]
  /** Change notifications to send. */
  readonly notifications?: readonly ChangeNotification[]
  /** True for the changes of several batches. The SQL text is then the same for any number of changes. */
  readonly together?: boolean
}

/**
 * A row that the statement returns for a changed sample or task. It contains the index of the change, or the address of
 * a new sample or task.
 */
export interface ChangedRow {
  /** In the first row of a statement with sweeps: JSON text of the number of records that each has deleted. */
  readonly swept?: string | null
  readonly change?: number | null
  readonly scope?: string | null
  readonly name?: string | null
  readonly id?: string | null
}

type Kind = DocumentChange['do']

/**
 * The columns that a kind of change needs for each document, and the SQL of the change for rows `t` with these columns.
 */
interface KindSql {
  /**
   * Identifies the kind in the name of a statement. It is one letter, because Postgres uses only the first 63 bytes of
   * a name.
   */
  readonly letter: string
  readonly columns: readonly Column[]
  /** True when a row may match no document. */
  readonly lenient?: boolean
  /** True when its rows are not joined with documents. */
  readonly inserts?: boolean
  run(binding: AccountBinding, rows: string): string
}

interface Column {
  readonly name: string
  readonly type: 'text' | 'int'
  of(change: DocumentChange): SqlScalar
}

const id: readonly Column[] = [
  { name: 'collection', type: 'text', of: (change) => change.id.collection },
  { name: 'scope', type: 'text', of: (change) => change.id.scope },
  { name: 'key', type: 'text', of: (change) => change.id.key },
]
const version: Column = { name: 'version', type: 'int', of: (change) => ('version' in change ? change.version : 1) }
const content: readonly Column[] = [
  { name: 'body', type: 'text', of: (change) => ('body' in change ? JSON.stringify(change.body) : null) },
  { name: 'fields', type: 'text', of: (change) => ('fields' in change ? storableJson(change.fields) : null) },
]

const sameDocument = 'd.collection = t.collection and d.scope = t.scope and d.key = t.key'
const sameVersion = `${sameDocument} and d.version = t.version`

const insert = ({ tables, owner }: AccountBinding, rows: string) =>
  `insert into ${tables.documents} (account, collection, scope, key, version, body, fields)
  select ${owner}, t.collection, t.scope, t.key, t.version, t.body, t.fields::jsonb
  from ${rows} on conflict do nothing returning 1`

/** The kinds of changes, in the order in which the statement runs them. */
const kinds: Readonly<Record<Kind, KindSql>> = {
  insert: { letter: 'i', columns: [...id, version, ...content], inserts: true, run: insert },
  ensure: { letter: 'n', columns: [...id, version, ...content], lenient: true, inserts: true, run: insert },
  replace: {
    letter: 'r',
    columns: [...id, version, ...content],
    run: ({ tables, owner }, rows) =>
      `update ${tables.documents} d set version = d.version + 1, body = t.body, fields = t.fields::jsonb
      from ${rows} where d.account = ${owner} and ${sameVersion} returning 1`,
  },
  remove: {
    letter: 'd',
    columns: [...id, version],
    run: ({ tables, owner }, rows) =>
      `delete from ${tables.documents} d using ${rows} where d.account = ${owner} and ${sameVersion} returning 1`,
  },
  discard: {
    letter: 'x',
    columns: id,
    lenient: true,
    run: ({ tables, owner }, rows) =>
      `delete from ${tables.documents} d using ${rows} where d.account = ${owner} and ${sameDocument} returning 1`,
  },
  expect: {
    letter: 'e',
    columns: [...id, version],
    run: ({ tables, owner }, rows) =>
      `select 1 from ${tables.documents} d, ${rows} where d.account = ${owner} and ${sameVersion} for share of d`,
  },
}

/**
 * Returns one statement for changes of distinct documents and tasks. Either all of them are applied, or the statement
 * fails with `preconditionFailed`.
 *
 * Under READ COMMITTED, a statement waits for a row that another transaction is changing and then reads it again. So
 * the version is compared with the version that the row has when it is locked, and the lock of an `expect` prevents
 * other transactions from changing the row until the commit. Of two batches that each expect a document that the other
 * batch writes, only one commits: they block each other, and Postgres ends one of them (40P01).
 *
 * Rows are locked by kind of change and then by address, so that batches that write the same rows wait in turn.
 */
export function changesStatement(
  accountTables: AccountTables,
  { documents: changes, appended = [], tasks = [], sweeps = [], notifications = [], together = false }: StatementParts,
): Statement {
  const binding = bindAccount(accountTables)
  const { tables, bind, values } = binding
  const parts: string[] = []
  const counts: string[] = []
  const shape: string[] = []
  // A few rows are listed one by one in the text. Such a text is planned once. A join with an array of unknown length
  // would be planned again for each execution, which costs more than the work itself.
  const inline = changes.length <= maxInline && !together
  let counted = 0
  for (const [kind, kindSql] of Object.entries(kinds)) {
    const { letter, columns, lenient = false, run } = kindSql
    const rows = changes.filter((change) => change.do === kind).sort(byAddress)
    if (rows.length === 0) continue
    const names = columns.map((column) => column.name).join(', ')
    const sources = inline ? inlineSources(kindSql, rows, bind) : [unnestedRows(columns, rows, bind)]
    for (const [number, source] of sources.entries()) {
      parts.push(`${kind}_rows${number} as (${run(binding, `${source} as t(${names})`)})`)
      // The counts are in the order in which the parts run. They include parts that may match no document.
      counts.push(`(select count(*) from ${kind}_rows${number})${lenient ? ' * 0' : ''}`)
    }
    if (!lenient) counted += rows.length
    shape.push(`${letter}${inline ? rows.length : 's'}`)
  }
  const changedTasks = taskParts(binding, tasks, together)
  parts.push(...changedTasks.parts)
  counts.push(...changedTasks.counts)
  counted += changedTasks.counted
  shape.push(changedTasks.shape)
  const resultQueries = [...changedTasks.resultQueries]
  const appendParts = appended.length <= maxInline && !together ? appendFewParts : appendManyParts
  const appendedSamples = appendParts(binding, appended)
  parts.push(...appendedSamples.parts)
  resultQueries.push(...appendedSamples.resultQueries)
  shape.push(appendedSamples.shape)
  const settledSql = `${together ? `${lockTimeoutSql} || ` : ''}${tables.settle}(${['0', ...counts].join(' + ')}, ${bind(counted)}::bigint)::text`
  const sweptSql = sweeps.length > 0 ? sweepSql(binding, settledSql, sweeps) : settledSql
  if (sweeps.length > 0) shape.push('w')
  const notificationColumn = notificationSql(notifications, together, bind)
  if (notificationColumn) shape.push('y')
  // The first row reports that all preconditions are true; each changed sample and task adds one row. The expressions
  // of the first row are evaluated first.
  const firstRow = `select ${sweptSql}${notificationColumn ? ` || ${notificationColumn}` : ''} as swept, null::int as change, null as scope, null as name, null as id`
  const text = `with ${parts.join(',\n')}\n${[firstRow, ...resultQueries].join(' union all ')}`
  // A statement with arrays is planned for each run. A cached plan for arrays of any length, made while the table was
  // small, reads the whole table.
  const isListed = inline && appended.length <= maxInline && changedTasks.listed
  const name = `c-${shape.join('')} ${tables.schema}`
  return { name: isListed && name.length <= maxNameLength ? name : undefined, text, values }
}

/** Maximum number of documents, and of samples, that are listed one by one in the text of a statement. */
const maxInline = 8

/**
 * Maximum length of the name of a statement. Postgres ignores the rest of a longer name, so two longer names could be
 * equal to it.
 */
const maxNameLength = 63

/**
 * SQL expression for the lock timeout of the transaction: the transaction fails when it waits too long for a lock,
 * unless the host has set a timeout of its own. One of several grouped batches may need a row that another transaction
 * locks for minutes, and without the limit all of them would wait.
 */
const lockTimeoutSql = `coalesce(case current_setting('lock_timeout') when '0' then set_config('lock_timeout', '500ms', true) end, '')`

/** Returns an SQL expression, a text, that sends notifications. */
function notificationSql(
  notifications: readonly ChangeNotification[],
  together: boolean,
  bind: Bind,
): string | undefined {
  const [first] = notifications
  if (!first) return undefined
  if (!together) return `pg_notify(${bind(first.channel)}::text, ${bind(first.payload)}::text)::text`
  const channels = bind(notifications.map(({ channel }) => channel))
  const payloads = bind(notifications.map(({ payload }) => payload))
  return `(select string_agg(pg_notify(n.channel, n.payload)::text, '')
    from unnest(${channels}::text[], ${payloads}::text[]) as n(channel, payload))`
}

/**
 * Each row that is joined with documents is a separate source, because the server treats a single row as constants and
 * looks up the document by its key. A join with several rows could keep a plan from the time when the table was small,
 * which reads the whole account.
 */
function inlineSources({ columns, inserts }: KindSql, changes: readonly DocumentChange[], bind: Bind): string[] {
  if (inserts) return [inlineRows(columns, changes, bind)]
  return changes.map((change) => inlineRows(columns, [change], bind))
}

function inlineRows(columns: readonly Column[], changes: readonly DocumentChange[], bind: Bind): string {
  const row = (change: DocumentChange) => columns.map(({ type, of }) => `${bind(of(change))}::${type}`).join(', ')
  return `(values ${changes.map((change) => `(${row(change)})`).join(', ')})`
}

function unnestedRows(columns: readonly Column[], changes: readonly DocumentChange[], bind: Bind): string {
  return arrayRows(columns.map(({ type, of }) => `${bind(changes.map(of))}::${type}[]`))
}

function byAddress({ id: a }: DocumentChange, { id: b }: DocumentChange): number {
  return compareTexts(a.collection, b.collection) || compareTexts(a.scope, b.scope) || compareTexts(a.key, b.key)
}
