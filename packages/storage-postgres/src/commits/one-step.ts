import {
  type Change,
  type DocumentChange,
  documentAddress,
  isDocumentChange,
  isTaskChange,
  isUnder,
  type TaskChange,
  taskAddress,
} from '@halyard/core/storage'
import type { Statement } from '../connections/sql-driver.ts'
import type { AppendedSample } from '../samples/sample-changes.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import type { IndexedTaskChange } from '../tasks/task-changes.ts'
import type { BatchWithNotification } from './change-notification.ts'
import { changesStatement, type StatementParts } from './document-changes.ts'
import { fitsFunction, isSweep, type Sweep } from './sweep.ts'

/** One statement of a commit, and the index of the change to whose count its rows are added. */
export interface Step {
  readonly statement: Statement
  readonly change?: number
  /** Present when each row names the change that it belongs to. Contains the changes that enqueue tasks. */
  readonly enqueued?: readonly IndexedTaskChange[]
  /** True when the single row of the statement contains the count. */
  readonly counting?: boolean
  /** Indexes of the sweeps whose counts the first row of the statement contains. */
  readonly swept?: readonly number[]
}

type IndexedSweep = readonly [index: number, sweep: Sweep]

/** The parts of a statement, with the indexes of its sweeps in the batch. */
type StepParts = Omit<StatementParts, 'sweeps'> & { readonly sweeps?: readonly IndexedSweep[] }

/** Maximum number of documents, tasks and samples that one statement may change. */
const maxTargets = 10_000

/**
 * The documents, tasks and samples of a batch. The value is the expected version for a document that the batch does not
 * change, otherwise `changed`.
 */
export type BatchTargets = ReadonlyMap<string, number | 'changed'>

/** A change that may share a statement with others. */
type OneStepChange = DocumentChange | TaskChange | Extract<Change, { readonly do: 'append' }>

/** A batch that one statement can write. */
export interface OneStepBatch {
  readonly targets: BatchTargets
  readonly changes: readonly OneStepChange[]
  readonly sweeps: readonly Sweep[]
}

/**
 * Plans one statement for a batch that changes distinct documents and tasks, appends single samples and deletes
 * everything under other scopes. Most batches are of this kind and need one round trip.
 */
export function planOneStep(
  accountTables: AccountTables,
  { batch, notification }: BatchWithNotification,
): Step | undefined {
  const oneStep = oneStepBatch(batch)
  if (!oneStep) return undefined
  // Samples alone have a statement of their own.
  if (oneStep.targets.size === oneStep.changes.filter(({ do: verb }) => verb === 'append').length) return undefined
  return stepOf(accountTables, { ...partsOf(batch), notifications: notification ? [notification] : [] })
}

/**
 * Separates the parts of a batch that one statement can write. Returns undefined for a batch that is too large, and for
 * a batch that changes or deletes the same thing twice, because the order of its changes matters.
 */
export function oneStepBatch(batch: readonly Change[]): OneStepBatch | undefined {
  const sweeps = batch.filter(isSweep)
  const others = batch.filter((change) => !isSweep(change))
  // This is checked first, because listing thousands of documents without using the list would take longer than writing
  // some of them.
  if (batch.length > maxTargets || !others.every(fitsOneStep) || !sweeps.every(fitsFunction)) return undefined
  const targets = targetsOf(others)
  const oneStep = targets && { targets, changes: others, sweeps }
  return oneStep && !mayDelete(oneStep, oneStep) ? oneStep : undefined
}

/** Returns true when the sweeps of the first batch may delete what the second batch changes. */
export function mayDelete({ sweeps }: OneStepBatch, { changes }: OneStepBatch): boolean {
  return sweeps.some((sweep) => changes.some((change) => mayAffect(change, sweep)))
}

/**
 * Returns true when a change may affect something that a sweep deletes. If it returns false, the two may run in any
 * order.
 */
function mayAffect(change: OneStepChange, sweep: Sweep): boolean {
  if (isDocumentChange(change)) {
    return isUnder(change.id.scope, sweep.scope) && (sweep.do === 'clear' || sweep.collection === change.id.collection)
  }
  const { scope } = isTaskChange(change) ? change.queue : change.series
  return sweep.do === 'clear' && isUnder(scope, sweep.scope)
}

/**
 * Returns the targets of a batch; undefined when two changes have the same target, or when there are too many changes.
 */
function targetsOf(batch: readonly OneStepChange[]): BatchTargets | undefined {
  const targets = new Map<string, number | 'changed'>()
  let count = 0
  for (const change of batch) {
    if (isDocumentChange(change)) {
      targets.set(`d${documentAddress(change.id)}`, change.do === 'expect' ? change.version : 'changed')
      count++
    } else if (isTaskChange(change)) {
      for (const id of tasksOf(change)) targets.set(`t${taskAddress(change.queue, id)}`, 'changed')
      count += tasksOf(change).length
    } else {
      for (const { id } of change.samples) targets.set(`s${taskAddress(change.series, id)}`, 'changed')
      count += change.samples.length
    }
  }
  return targets.size === count && count <= maxTargets ? targets : undefined
}

/**
 * Plans one statement for several independent batches: all of them are written, or none is. Its text is the same for
 * any number of batches.
 */
export function planTogether(accountTables: AccountTables, requests: readonly BatchWithNotification[]): Step {
  const { documents, ...parts } = partsOf(requests.flatMap(({ batch }) => batch))
  const notifications = requests.flatMap(({ notification }) => notification ?? [])
  // A document that several batches expect is checked once.
  const expected = new Set<string>()
  const distinct = documents.filter((change) => {
    if (change.do !== 'expect') return true
    const address = documentAddress(change.id)
    return !expected.has(address) && expected.add(address)
  })
  return stepOf(accountTables, { documents: distinct, ...parts, notifications, together: true })
}

/** Returns the step that writes these parts. */
export function stepOf(accountTables: AccountTables, parts: StepParts): Step {
  const { tasks = [], sweeps = [] } = parts
  return {
    statement: changesStatement(accountTables, { ...parts, sweeps: sweeps.map(([, sweep]) => sweep) }),
    enqueued: tasks,
    swept: sweeps.map(([index]) => index),
  }
}

function partsOf(batch: readonly Change[]): {
  readonly documents: readonly DocumentChange[]
  readonly appended: readonly AppendedSample[]
  readonly tasks: readonly IndexedTaskChange[]
  readonly sweeps: readonly IndexedSweep[]
} {
  const documents: DocumentChange[] = []
  const appended: AppendedSample[] = []
  const tasks: IndexedTaskChange[] = []
  const sweeps: IndexedSweep[] = []
  for (const [index, change] of batch.entries()) {
    if (isDocumentChange(change)) documents.push(change)
    else if (isTaskChange(change)) tasks.push([index, change])
    else if (isSweep(change)) sweeps.push([index, change])
    else if (change.do === 'append') {
      for (const sample of change.samples) appended.push({ series: change.series, sample, changeIndex: index })
    }
  }
  return { documents, appended, tasks, sweeps }
}

function fitsOneStep(change: Exclude<Change, Sweep>): change is OneStepChange {
  return isDocumentChange(change) || isTaskChange(change) || (change.do === 'append' && change.samples.length === 1)
}

function tasksOf(change: TaskChange): readonly string[] {
  return change.do === 'enqueue' ? change.tasks.map(({ id }) => id) : [change.task]
}
