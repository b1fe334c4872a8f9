import {
  type Change,
  type CommitOutcome,
  type DocumentId,
  type QueueId,
  type Sample,
  type TaskChange,
  taskAddress,
} from '@halyard/core'
import { clearStatements, discardAllStatement, lockStatement, wakeStatement } from './clear.ts'
import {
  type AppendedSample,
  type ChangedRow,
  changesStatement,
  type DocumentChange,
  type OneStep,
} from './document-changes.ts'
import { getVersions } from './documents.ts'
import { loadStatements } from './load.ts'
import { addMembersStatement, moveMembersStatement, removeMembersStatement, removeOthersStatement } from './members.ts'
import type { Notice } from './notice.ts'
import { addressOf, findRefusal, isDocumentChange, isTaskChange, type Refusal } from './preconditions.ts'
import { appendStatement, trimStatement, withdrawStatement } from './samples.ts'
import type { Query, SqlDriver, Statement } from './sql-driver.ts'
import { isUniqueViolation, troubleOf } from './sqlstate.ts'
import { wellFormed } from './storable-text.ts'
import type { Tables } from './tables.ts'
import type { PlacedTaskChange } from './task-changes.ts'
import { getTakes } from './tasks.ts'
import { telling, tellStatement } from './telling.ts'

/** Members or samples in one statement: enough to make the round trip cheap, few enough to keep its text small. */
const chunkSize = 10_000

/** One statement of a commit, and the change whose count its rows belong to. */
interface Step {
  readonly statement: Statement
  readonly change?: number
  /** Where rows tell for themselves which change they belong to: the new tasks among them. */
  readonly enqueued?: readonly PlacedTaskChange[]
  /** Its one row says how many they were. */
  readonly counting?: boolean
}

/**
 * Writes a batch. One statement is sent as it is; several go into one transaction.
 *
 * When the database rolls a batch back because of another's write, the documents are looked at again to say which
 * change was refused. If by then all preconditions hold (the other one was itself rolled back, or a deadlock was
 * broken before anything was decided), the batch is tried a second time and then given up as a conflict.
 *
 * @param notice what others are told when it is committed.
 */
export async function commitBatch(
  driver: SqlDriver,
  tables: Tables,
  account: string,
  batch: readonly Change[],
  notice?: Notice,
): Promise<CommitOutcome> {
  const steps = planSteps(tables, account, batch, notice)
  for (let lastAttempt = false; ; lastAttempt = true) {
    try {
      return { outcome: 'committed', counts: await runSteps(driver, batch, steps) }
    } catch (error) {
      if (troubleOf(error) !== 'refused') throw error
      const loaded = loadThatFailed(error, batch)
      if (loaded !== undefined) return { outcome: 'exists', change: loaded }
      const refusal = await explainRefusal(driver.query, tables, account, batch)
      if (refusal) return refusal
      if (lastAttempt) return { outcome: 'conflict', change: Math.max(0, batch.findIndex(isDocumentChange)) }
    }
  }
}

async function runSteps(driver: SqlDriver, batch: readonly Change[], steps: readonly Step[]): Promise<number[]> {
  // A change of a document that is there or not was made in full, or there would be an error.
  const counts: number[] = batch.map((change) => (isDocumentChange(change) && isCounted(change) ? 1 : 0))
  const run = async (query: Query) => {
    for (const { statement, change, enqueued, counting } of steps) {
      const { count, rows } = await query<ChangedRow & { readonly count?: number }>(statement).catch(
        (error: unknown) => {
          if (change !== undefined && error instanceof Error) failedChanges.set(error, change)
          throw error
        },
      )
      const written = counting ? (rows[0]?.count ?? 0) : count
      if (change !== undefined) counts[change] = (counts[change] ?? 0) + written
      if (enqueued) countChanged(counts, rows, enqueued)
    }
  }
  const alone = steps.length === 1 && !driver.inHostTransaction
  if (alone) await run(driver.query)
  else if (steps.length > 0) await driver.transaction(run)
  return counts
}

/** Which change a statement that failed belonged to. */
const failedChanges = new WeakMap<Error, number>()

/** The change that wanted to put in what is there: nothing else runs into a unique key. */
function loadThatFailed(error: unknown, batch: readonly Change[]): number | undefined {
  const change = error instanceof Error && isUniqueViolation(error) ? failedChanges.get(error) : undefined
  return change !== undefined && batch[change]?.do === 'load' ? change : undefined
}

function countChanged(counts: number[], rows: readonly ChangedRow[], changes: readonly PlacedTaskChange[]): void {
  const places = new Map<string, number>()
  for (const [place, change] of changes) {
    if (change.do !== 'enqueue') continue
    for (const { id } of change.tasks) places.set(storedAddress(change.queue, id), place)
  }
  for (const { change, scope, name, id } of rows) {
    // The first row is about no change in particular.
    const isNew = typeof scope === 'string' && typeof name === 'string' && typeof id === 'string'
    const place = isNew ? places.get(storedAddress({ scope, name }, id)) : change
    if (typeof place === 'number') counts[place] = (counts[place] ?? 0) + 1
  }
}

/** The address of a task as it comes back. */
function storedAddress({ scope, name }: QueueId, id: string): string {
  return taskAddress({ scope: wellFormed(scope), name: wellFormed(name) }, wellFormed(id))
}

async function explainRefusal(
  query: Query,
  tables: Tables,
  account: string,
  batch: readonly Change[],
): Promise<Refusal | undefined> {
  const changes = [...batch.entries()].filter((entry): entry is [number, DocumentChange] => isDocumentChange(entry[1]))
  const ids = changes.map(([, change]) => change.id)
  const found = await getVersions(query, tables, account, ids)
  const versions: (number | undefined)[] = []
  for (const [i, [change]] of changes.entries()) versions[change] = found[i]
  const tasks = batch.flatMap((one) => (one.do === 'finish' || one.do === 'postpone' ? [one] : []))
  const takes = tasks.length > 0 ? await getTakes(query, tables, account, tasks) : []
  const takesOf = new Map(tasks.map(({ queue, task }, i) => [taskAddress(queue, task), takes[i]]))
  return findRefusal(batch, versions, (queue, task) => takesOf.get(taskAddress(queue, task)))
}

/**
 * The statements of a batch, in the order of its changes as far as that can be told from outside. Changes of documents
 * are put off until something depends on them: all that can go into one statement does, and rows that others
 * want are locked as late as possible.
 */
function planSteps(tables: Tables, account: string, batch: readonly Change[], notice: Notice | undefined): Step[] {
  const one = planOneStep(tables, account, batch, notice)
  if (one) return [one]
  const locked = lockedFirst(batch)
  const steps: Step[] = locked.length > 0 ? [{ statement: lockStatement(tables, account, locked) }] : []
  let waiting = new Map<string, DocumentChange>()
  const writeDocuments = (besides: { readonly notice?: Notice } = {}) => {
    if (waiting.size > 0) steps.push(stepOf(tables, account, { documents: [...waiting.values()], ...besides }))
    waiting = new Map()
  }
  for (const [index, change] of batch.entries()) {
    if (isDocumentChange(change)) {
      const address = addressOf(change.id)
      if (waiting.has(address)) writeDocuments()
      waiting.set(address, change)
      continue
    }
    if (dependsOnDocuments(change)) writeDocuments()
    if (change.do === 'move-members' && change.replace) {
      steps.push({ statement: removeOthersStatement(tables, account, change.into, change.from) })
    }
    if (isTaskChange(change)) steps.push(...taskSteps(tables, account, index, change))
    else steps.push(...statementsOf(tables, account, change).map((statement) => ({ statement, change: index })))
    if (change.do === 'clear') steps.push({ statement: wakeStatement(tables, account, change.scope) })
  }
  if (waiting.size === 0) return notice ? tellLast(steps, notice) : steps
  writeDocuments({ notice })
  return steps
}

/** The last statement sends the notice where it can; else one more does. */
function tellLast(steps: readonly Step[], notice: Notice): Step[] {
  const last = steps.at(-1)
  if (!last) return []
  const statement = telling(last.statement, notice)
  if (!statement) return [...steps, { statement: tellStatement(notice) }]
  return [...steps.slice(0, -1), { ...last, statement, counting: true }]
}

/** The whole of a batch that changes distinct documents and tasks and appends single samples, as most changes do: one round trip. */
function planOneStep(
  tables: Tables,
  account: string,
  batch: readonly Change[],
  notice: Notice | undefined,
): Step | undefined {
  // Told at once: to name thousands of documents in vain would take longer than to write some.
  if (batch.length > chunkSize || batch.some((one) => !fitsOneStep(one))) return undefined
  const documents: DocumentChange[] = []
  const tasks: PlacedTaskChange[] = []
  const addresses = new Set<string>()
  const appended: AppendedSample[] = []
  let named = 0
  for (const [place, change] of batch.entries()) {
    if (isDocumentChange(change)) {
      documents.push(change)
      addresses.add(`d${addressOf(change.id)}`)
      named++
    } else if (isTaskChange(change)) {
      tasks.push([place, change])
      for (const id of tasksOf(change)) addresses.add(`t${taskAddress(change.queue, id)}`)
      named += tasksOf(change).length
    } else {
      const [sample] = change.do === 'append' && change.samples.length === 1 ? change.samples : []
      if (change.do !== 'append' || !sample) return undefined
      appended.push({ series: change.series, sample, place })
      addresses.add(`s${taskAddress(change.series, sample.id)}`)
      named++
    }
  }
  // What is named twice has an order; samples alone have a statement of their own.
  if (named === appended.length || addresses.size < named || named > chunkSize) return undefined
  return stepOf(tables, account, { documents, appended, tasks, notice })
}

function fitsOneStep(change: Change): boolean {
  return isDocumentChange(change) || isTaskChange(change) || (change.do === 'append' && change.samples.length === 1)
}

function stepOf(tables: Tables, account: string, parts: OneStep): Step {
  return { statement: changesStatement(tables, account, parts), enqueued: parts.tasks ?? [] }
}

/** The steps of one change of tasks. */
function taskSteps(tables: Tables, account: string, place: number, change: TaskChange): Step[] {
  const parts =
    change.do === 'enqueue' ? chunks(change.tasks).map((tasks): TaskChange => ({ ...change, tasks })) : [change]
  return parts.map((part) => stepOf(tables, account, { documents: [], tasks: [[place, part]] }))
}

function tasksOf(change: TaskChange): readonly string[] {
  return change.do === 'enqueue' ? change.tasks.map(({ id }) => id) : [change.task]
}

/** Whether a change is about documents that it does not name. */
function isSweeping({ do: verb }: Change): boolean {
  return verb === 'clear' || verb === 'discard-all'
}

/** Whether documents that were put off must be written before a change. */
function dependsOnDocuments(change: Change): boolean {
  return isSweeping(change) || change.do === 'load'
}

/** The documents to lock before a batch clears a scope, or part of it. */
function lockedFirst(batch: readonly Change[]): DocumentId[] {
  if (!batch.some(isSweeping)) return []
  const changes = batch.filter(isDocumentChange).filter((change) => 'version' in change)
  return changes.map((change) => change.id)
}

function isCounted({ do: verb }: DocumentChange): boolean {
  return verb === 'insert' || verb === 'replace' || verb === 'remove'
}

function statementsOf(
  tables: Tables,
  account: string,
  change: Exclude<Change, DocumentChange | TaskChange>,
): Statement[] {
  switch (change.do) {
    case 'clear':
      return clearStatements(tables, account, change.scope)
    case 'discard-all':
      return [discardAllStatement(tables, account, change)]
    case 'add-members':
      return distinctChunks(change.members).map((chunk) => addMembersStatement(tables, account, change.set, chunk))
    case 'remove-members':
      return distinctChunks(change.members).map((chunk) => removeMembersStatement(tables, account, change.set, chunk))
    case 'move-members':
      return [moveMembersStatement(tables, account, change.from, change.into)]
    case 'append':
      return chunks(change.samples.toSorted(byId)).map((chunk) =>
        appendStatement(tables, account, change.series, chunk),
      )
    case 'load':
      return loadStatements(tables, account, change.records, chunks)
    case 'withdraw':
      return distinctChunks(change.ids).map((chunk) => withdrawStatement(tables, account, change.series, chunk))
    case 'trim':
      return [trimStatement(tables, account, change.series, change.before)]
  }
}

// Members and samples are sorted, so that batches which add the same ones queue up instead of blocking each other. Of
// samples with one id the first stays the first.
function distinctChunks(members: readonly string[]): (readonly string[])[] {
  return chunks([...new Set(members)].sort())
}

function byId(a: Sample, b: Sample): number {
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

function chunks<T>(items: readonly T[]): (readonly T[])[] {
  const starts = Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, chunk) => chunk * chunkSize)
  return starts.map((start) => items.slice(start, start + chunkSize))
}
