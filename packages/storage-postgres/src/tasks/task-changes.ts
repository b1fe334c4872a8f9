import { compareCodePoints, type QueueId, type Task, type TaskChange } from '@halyard/core/storage'
import type { SqlScalar } from '../connections/sql-driver.ts'
import type { AccountBinding } from '../statements/account-binding.ts'
import { arrayRows } from '../statements/array-rows.ts'
import type { Bind } from '../statements/bind.ts'

/** A change of tasks with its index in the batch. */
export type IndexedTaskChange = readonly [place: number, change: TaskChange]

/** The parts that changes of tasks add to a statement that has bound the account. */
export interface TaskParts {
  /** Common table expressions. */
  readonly parts: readonly string[]
  /** Counts of rows whose sum must be `counted`. */
  readonly counts: readonly string[]
  readonly counted: number
  /**
   * Queries that return one row for each task that was changed: `change`, or its `scope`, `name` and `id` when it is
   * new.
   */
  readonly resultQueries: readonly string[]
  /** Identifies the parts in the name of a statement. */
  readonly shape: string
  /** True when the tasks that exist are listed one by one in the text. */
  readonly listed: boolean
}

type EnqueuedTask = Task & { readonly queue: QueueId }
type SingleTaskChange = Exclude<TaskChange, { readonly do: 'enqueue' }>
type IndexedSingle = readonly [place: number, change: SingleTaskChange]

interface Column<Row> {
  readonly name: string
  readonly type: 'text' | 'int' | 'bigint'
  of(row: Row): SqlScalar
}

const enqueuedColumns: readonly Column<EnqueuedTask>[] = [
  { name: 'scope', type: 'text', of: ({ queue }) => queue.scope },
  { name: 'name', type: 'text', of: ({ queue }) => queue.name },
  { name: 'id', type: 'text', of: ({ id }) => id },
  { name: 'lane', type: 'text', of: ({ lane }) => lane },
  { name: 'at', type: 'bigint', of: ({ at }) => at },
  { name: 'due', type: 'bigint', of: ({ due }) => due },
  { name: 'body', type: 'text', of: ({ body }) => JSON.stringify(body ?? null) },
]

const finishedColumns: readonly Column<IndexedSingle>[] = [
  { name: 'change', type: 'int', of: ([index]) => index },
  { name: 'scope', type: 'text', of: ([, { queue }]) => queue.scope },
  { name: 'name', type: 'text', of: ([, { queue }]) => queue.name },
  { name: 'id', type: 'text', of: ([, { task }]) => task },
  { name: 'takes', type: 'int', of: ([, { takes }]) => takes ?? null },
]

const postponedColumns: readonly Column<IndexedSingle>[] = [
  ...finishedColumns,
  { name: 'due', type: 'bigint', of: ([, change]) => ('due' in change ? change.due : null) },
  { name: 'body', type: 'text', of: ([, change]) => ('body' in change ? JSON.stringify(change.body ?? null) : null) },
]

/**
 * Returns the condition that a row `t` is the task of the row `other`. Few tasks have the same id, and the primary key
 * begins with the id. Equality of scope and name would let the server choose an index of these columns. A cached plan
 * from a time when the queue was short would then read the whole queue.
 */
export function sameTask(other: string): string {
  return `t.id = ${other}.id and t.scope is not distinct from ${other}.scope and t.name is not distinct from ${other}.name`
}

/**
 * Returns the parts of a statement that change tasks, each task at most once. A few tasks are listed in the text of the
 * statement; many are sent as arrays.
 *
 * @param together true when the text must be the same for any number of changes.
 */
export function taskParts(
  { tables, owner, bind }: AccountBinding,
  changes: readonly IndexedTaskChange[],
  together = false,
): TaskParts {
  const parts: string[] = []
  const counts: string[] = []
  const resultQueries: string[] = []
  const shape: string[] = []
  const { tasks, unblockedKeys: openings } = tables
  const enqueued = enqueuedTasks(changes)
  const finished = singles(changes, 'finish')
  const postponed = singles(changes, 'postpone')
  const sourcesOf = (columns: readonly Column<IndexedSingle>[], rows: readonly IndexedSingle[]) => {
    const sources = isFew(rows, together) ? listedRows(columns, rows, bind) : [unnested(columns, rows, bind)]
    return sources.map((source) => `${source} as w(${namesOf(columns)})`)
  }

  if (enqueued.length > 0) {
    parts.push(`enqueued as (
      insert into ${tasks} (account, ${namesOf(enqueuedColumns)})
      select ${owner}, w.* from ${unnested(enqueuedColumns, enqueued, bind)} as w(${namesOf(enqueuedColumns)})
      on conflict do nothing returning scope, name, id)`)
    resultQueries.push('select null, null, scope, name, id from enqueued')
    shape.push('q')
  }
  if (finished.length > 0) {
    const sources = sourcesOf(finishedColumns, finished)
    const names = sources.map((_, number) => `finished${number}`)
    for (const [number, source] of sources.entries()) {
      parts.push(`finished${number} as (
      delete from ${tasks} t using ${source}
      where t.account = ${owner} and ${sameTask('w')} and (w.takes is null or t.takes = w.takes)
      returning t.scope, t.name, t.lane, w.change, w.takes)`)
      counts.push(`(select count(*) from finished${number} where takes is not null)`)
      resultQueries.push(`select null, change, null, null, null from finished${number}`)
    }
    // The row in the table `openings` makes `take` examine the tasks that wait behind the finished task, including
    // tasks of concurrent commits that this statement cannot see yet.
    const opened = names.map((name) => `select ${owner}, scope, name, lane from ${name}`).join(' union all ')
    parts.push(`opened as (insert into ${openings} (account, scope, name, lane) ${opened})`)
    shape.push(`f${sizeOf(finished, together)}`)
  }
  if (postponed.length > 0) {
    for (const [number, source] of sourcesOf(postponedColumns, postponed).entries()) {
      parts.push(`postponed${number} as (
      update ${tasks} t set due = w.due, body = w.body, leased_until = 0, asleep = false
      from ${source}
      where t.account = ${owner} and ${sameTask('w')} and t.takes = w.takes returning w.change)`)
      counts.push(`(select count(*) from postponed${number})`)
      resultQueries.push(`select null, change, null, null, null from postponed${number}`)
    }
    shape.push(`p${sizeOf(postponed, together)}`)
  }
  const counted = finished.filter(([, { takes }]) => takes !== undefined).length + postponed.length
  const listed = isFew(finished, together) && isFew(postponed, together)
  return { parts, counts, counted, resultQueries, shape: shape.join(''), listed }
}

// Sorted, so that batches that change the same tasks wait in turn. Tasks with equal ids keep their order.
function enqueuedTasks(changes: readonly IndexedTaskChange[]): EnqueuedTask[] {
  const all = changes.flatMap(([, change]) =>
    change.do === 'enqueue' ? change.tasks.map((task) => ({ ...task, queue: change.queue })) : [],
  )
  return all.sort((a, b) => compareQueues(a.queue, b.queue) || compareCodePoints(a.id, b.id))
}

function singles(changes: readonly IndexedTaskChange[], verb: SingleTaskChange['do']): IndexedSingle[] {
  const all = changes.flatMap(([index, change]): IndexedSingle[] =>
    change.do !== 'enqueue' && change.do === verb ? [[index, change]] : [],
  )
  return all.sort(([, a], [, b]) => compareQueues(a.queue, b.queue) || compareCodePoints(a.task, b.task))
}

function compareQueues(a: QueueId, b: QueueId): number {
  return compareCodePoints(a.scope, b.scope) || compareCodePoints(a.name, b.name)
}

function namesOf(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => name).join(', ')
}

/**
 * Returns rows as separate sources that are listed in the text, as for documents, so that the statement is planned
 * once.
 */
function listedRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[], bind: Bind): string[] {
  const rowSql = (row: Row) => columns.map(({ type, of }) => `${bind(of(row))}::${type}`).join(', ')
  return rows.map((row) => `(values (${rowSql(row)}))`)
}

/** Returns many rows as one source, which is made of arrays. */
function unnested<Row>(columns: readonly Column<Row>[], rows: readonly Row[], bind: Bind): string {
  return arrayRows(columns.map(({ type, of }) => `${bind(rows.map(of))}::${type}[]`))
}

function isFew({ length }: readonly unknown[], together: boolean): boolean {
  return length <= 8 && !together
}

function sizeOf(rows: readonly unknown[], together: boolean): string {
  return isFew(rows, together) ? `${rows.length}` : 's'
}
