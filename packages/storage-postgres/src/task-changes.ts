import { compareCodePoints, type QueueId, type Task, type TaskChange } from '@halyard/core/storage'
import type { Bind } from './bind.ts'
import type { SqlScalar } from './sql-driver.ts'
import type { Tables } from './tables.ts'

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

const sameTask = 't.scope = w.scope and t.name = w.name and t.id = w.id'

/**
 * Returns the parts of a statement that change tasks, each task at most once.
 *
 * @param together true when the text must be the same for any number of changes.
 */
export function taskParts(
  tables: Tables,
  account: string,
  changes: readonly IndexedTaskChange[],
  bind: Bind,
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

  if (enqueued.length > 0) {
    parts.push(`enqueued as (
      insert into ${tasks} (account, ${namesOf(enqueuedColumns)})
      select ${account}, w.* from ${unnested(enqueuedColumns, enqueued, bind)} as w(${namesOf(enqueuedColumns)})
      on conflict do nothing returning scope, name, id)`)
    resultQueries.push('select null, null, scope, name, id from enqueued')
    shape.push('q')
  }
  if (finished.length > 0) {
    // The row in the table `openings` makes `take` examine the tasks that wait behind this one, including tasks of
    // concurrent commits that this statement cannot see yet.
    parts.push(
      `finished as (
      delete from ${tasks} t using ${rowsOf(finishedColumns, finished, bind, together)}
      where t.account = ${account} and ${sameTask} and (w.takes is null or t.takes = w.takes)
      returning t.scope, t.name, t.lane, w.change, w.takes)`,
      `opened as (
      insert into ${openings} (account, scope, name, lane) select ${account}, scope, name, lane from finished)`,
    )
    counts.push('(select count(*) from finished where takes is not null)')
    resultQueries.push('select null, change, null, null, null from finished')
    shape.push(`f${sizeOf(finished, together)}`)
  }
  if (postponed.length > 0) {
    parts.push(`postponed as (
      update ${tasks} t set due = w.due, body = w.body, leased_until = 0, asleep = false
      from ${rowsOf(postponedColumns, postponed, bind, together)}
      where t.account = ${account} and ${sameTask} and t.takes = w.takes returning w.change)`)
    counts.push('(select count(*) from postponed)')
    resultQueries.push('select null, change, null, null, null from postponed')
    shape.push(`p${sizeOf(postponed, together)}`)
  }
  const counted = finished.filter(([, { takes }]) => takes !== undefined).length + postponed.length
  return { parts, counts, counted, resultQueries, shape: shape.join('') }
}

// Sorted, so that batches that change the same tasks wait in turn. Of equal ids the first stays the first.
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

/** A few rows are listed one by one in the text, which is planned once; many are sent as arrays. */
function rowsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], bind: Bind, together: boolean): string {
  const rowSql = (item: Row) => `(${columns.map(({ type, of }) => `${bind(of(item))}::${type}`).join(', ')})`
  const source = isFew(rows, together) ? `(values ${rows.map(rowSql).join(', ')})` : unnested(columns, rows, bind)
  return `${source} as w(${namesOf(columns)})`
}

function unnested<Row>(columns: readonly Column<Row>[], rows: readonly Row[], bind: Bind): string {
  return `unnest(${columns.map(({ type, of }) => `${bind(rows.map(of))}::${type}[]`).join(', ')})`
}

function isFew({ length }: readonly unknown[], together: boolean): boolean {
  return length <= 8 && !together
}

function sizeOf(rows: readonly unknown[], together: boolean): string {
  return isFew(rows, together) ? `${rows.length}` : 's'
}
