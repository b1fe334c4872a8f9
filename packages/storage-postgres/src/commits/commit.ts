import {
  type Change,
  type CommitOutcome,
  type DocumentChange,
  documentAddress,
  findRefusal,
  isDocumentChange,
  type QueueId,
  type RefusedOutcome,
  type StoredState,
  taskAddress,
  wellFormed,
} from '@halyard/core/storage'
import type { Query, SqlDriver } from '../connections/sql-driver.ts'
import { classifyError, isRolledBack, isStatementError, isUniqueViolation } from '../connections/sqlstate.ts'
import { getVersions } from '../documents/documents.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import type { AccountQueries } from '../statements/account-queries.ts'
import type { IndexedTaskChange } from '../tasks/task-changes.ts'
import { getTakes } from '../tasks/tasks.ts'
import type { BatchWithNotification } from './change-notification.ts'
import { planSteps } from './commit-steps.ts'
import type { ChangedRow } from './document-changes.ts'
import type { GroupFailure } from './group-commits.ts'
import { planTogether, type Step } from './one-step.ts'

/**
 * Writes a batch. A single statement is sent without a transaction of its own; several statements run in one
 * transaction.
 *
 * When the database rolls a batch back because of a concurrent write, the versions of its documents are read again to
 * report which change was refused. If all preconditions are true by then (the concurrent batch was itself rolled back,
 * or Postgres ended a deadlock before either batch was committed), the batch is tried a second time and then reported
 * as a conflict.
 */
export async function commitBatch(
  driver: SqlDriver,
  accountTables: AccountTables,
  request: BatchWithNotification,
): Promise<CommitOutcome> {
  const { batch } = request
  const steps = planSteps(accountTables, request)
  for (let lastAttempt = false; ; lastAttempt = true) {
    try {
      return { outcome: 'committed', counts: await runSteps(driver, batch, steps) }
    } catch (error) {
      if (classifyError(error) !== 'refused') throw error
      const loadIndex = failedLoad(error, batch)
      if (loadIndex !== undefined) return { outcome: 'exists', change: loadIndex }
      const refusal = await explainRefusal({ ...accountTables, query: driver.query }, batch)
      if (refusal) return refusal
      if (lastAttempt) return { outcome: 'conflict', change: Math.max(0, batch.findIndex(isDocumentChange)) }
    }
  }
}

/**
 * Writes independent batches in one statement.
 *
 * @returns the outcome of each batch; the reason when the server rejected the statement, so that it wrote nothing.
 */
export async function commitTogether(
  driver: SqlDriver,
  accountTables: AccountTables,
  requests: readonly BatchWithNotification[],
): Promise<CommitOutcome[] | GroupFailure> {
  const batches = requests.map(({ batch }) => batch)
  let counts: readonly number[]
  try {
    counts = await runSteps(driver, batches.flat(), [planTogether(accountTables, requests)])
  } catch (error) {
    if (!isStatementError(error)) throw error
    return classifyError(error) === 'refused' ? 'refused' : 'failed'
  }
  let start = 0
  return batches.map(({ length }) => {
    start += length
    return { outcome: 'committed', counts: counts.slice(start - length, start) }
  })
}

async function runSteps(driver: SqlDriver, batch: readonly Change[], steps: readonly Step[]): Promise<number[]> {
  // A change with a precondition on its document counts as 1: if it had not been applied, the statement would have
  // failed.
  const counts: number[] = batch.map((change) => (isDocumentChange(change) && isCounted(change) ? 1 : 0))
  const run = async (query: Query) => {
    for (const { statement, change, enqueued, counting, swept = [] } of steps) {
      const { count, rows } = await query<ChangedRow & Counts>(statement).catch((error: unknown) => {
        if (change !== undefined && error instanceof Error) failedChanges.set(error, change)
        throw statement.ofApplication ? errorOfApplication(error) : error
      })
      const written = counting ? (rows[0]?.count ?? 0) : count
      if (change !== undefined) counts[change] = (counts[change] ?? 0) + written
      if (swept.length > 0) countSwept(counts, rows[0], swept)
      if (enqueued) countChanged(counts, rows, enqueued)
    }
  }
  const isSingleStatement = steps.length === 1 && !driver.inHostTransaction
  if (isSingleStatement) await run(driver.query)
  else if (steps.length > 0) await driver.transaction(run)
  return counts
}

/** Returns the error of a statement of the application, which says nothing about the records of the storage. */
function errorOfApplication(error: unknown): unknown {
  const isOfDatabase = isStatementError(error) && !isRolledBack(error) && classifyError(error) !== 'unavailable'
  if (!isOfDatabase) return error
  return new Error('a statement of the application failed in the commit', { cause: error })
}

/** The single row of the result of a statement: the number of rows that it has written. */
interface Counts {
  readonly count?: number
}

function countSwept(counts: number[], row: ChangedRow | undefined, sweeps: readonly number[]): void {
  const sweptCounts: readonly number[] = JSON.parse(row?.swept ?? '[]')
  for (const [i, index] of sweeps.entries()) counts[index] = sweptCounts[i] ?? 0
}

/** Index of the change that a failed statement belonged to. */
const failedChanges = new WeakMap<Error, number>()

/**
 * Returns the index of the `load` change that inserts something that exists already. No other change violates a unique
 * key.
 */
function failedLoad(error: unknown, batch: readonly Change[]): number | undefined {
  const change = error instanceof Error && isUniqueViolation(error) ? failedChanges.get(error) : undefined
  return change !== undefined && batch[change]?.do === 'load' ? change : undefined
}

function countChanged(counts: number[], rows: readonly ChangedRow[], changes: readonly IndexedTaskChange[]): void {
  const changeIndexes = new Map<string, number>()
  for (const [index, change] of changes) {
    if (change.do !== 'enqueue') continue
    for (const { id } of change.tasks) changeIndexes.set(storedAddress(change.queue, id), index)
  }
  for (const { change, scope, name, id } of rows) {
    // The first row belongs to no single change.
    const isNew = typeof scope === 'string' && typeof name === 'string' && typeof id === 'string'
    const index = isNew ? changeIndexes.get(storedAddress({ scope, name }, id)) : change
    if (typeof index === 'number') counts[index] = (counts[index] ?? 0) + 1
  }
}

/** Returns the address of a task as the database returns it. */
function storedAddress({ scope, name }: QueueId, id: string): string {
  return taskAddress({ scope: wellFormed(scope), name: wellFormed(name) }, wellFormed(id))
}

async function explainRefusal(queries: AccountQueries, batch: readonly Change[]): Promise<RefusedOutcome | undefined> {
  const ids = batch.filter(isDocumentChange).map(({ id }) => id)
  const storedVersions = await getVersions(queries, ids)
  const versions = new Map(ids.map((id, i) => [documentAddress(id), storedVersions[i]]))
  const tasks = batch.flatMap((change) => (change.do === 'finish' || change.do === 'postpone' ? [change] : []))
  const takes = tasks.length > 0 ? await getTakes(queries, tasks) : []
  const takesOf = new Map(tasks.map(({ queue, task }, i) => [taskAddress(queue, task), takes[i]]))
  const stored: StoredState = {
    versionOf: (id) => versions.get(documentAddress(id)),
    takesOf: (queue, task) => takesOf.get(taskAddress(queue, task)),
    // The error of a `load` names the record that exists already, so no document is looked up here.
    contains: () => false,
  }
  return findRefusal(stored, batch)
}

function isCounted({ do: verb }: DocumentChange): boolean {
  return verb === 'insert' || verb === 'replace' || verb === 'remove'
}
