import {
  type Change,
  type DocumentChange,
  documentAddress,
  isDocumentChange,
  isTaskChange,
  type TaskChange,
  taskAddress,
} from '@halyard/core/storage'
import { changesStatement, type StepParts } from './document-changes.ts'
import type { Notice } from './notice.ts'
import type { AppendedSample } from './sample-changes.ts'
import type { Statement } from './sql-driver.ts'
import type { Tables } from './tables.ts'
import type { IndexedTaskChange } from './task-changes.ts'

/** One statement of a commit, and the index of the change whose count its rows belong to. */
export interface Step {
  readonly statement: Statement
  readonly change?: number
  /** Set where the rows themselves name the change they belong to. Contains the changes that enqueue tasks. */
  readonly enqueued?: readonly IndexedTaskChange[]
  /** True when its single row contains the count. */
  readonly counting?: boolean
  /** Indexes of the changes whose counts its single row contains, the first of them as `count0` and so on. */
  readonly cleared?: readonly number[]
  /** True when it has nothing to do unless a step before it has deleted tasks. */
  readonly followsTasks?: boolean
}

/** A change with its index in the batch. */
export type IndexedChange<C extends Change = Change> = readonly [place: number, change: C]

/** Maximum number of documents, tasks and samples that one statement may change. */
const maxTargets = 10_000

/**
 * The documents, tasks and samples of a batch: the version of a document that the batch expects and leaves as it is, or
 * `changed`.
 */
export type BatchTargets = ReadonlyMap<string, number | 'changed'>

/** A change that may share a statement with others. */
type OneStepChange = DocumentChange | TaskChange | Extract<Change, { readonly do: 'append' }>

/**
 * Plans one statement for a batch that changes distinct documents and tasks and appends single samples, as most batches
 * do: one round trip.
 */
export function planOneStep(
  tables: Tables,
  account: string,
  batch: readonly IndexedChange[],
  notice: Notice | undefined,
): Step | undefined {
  const changes = batch.map(([, change]) => change)
  const targets = targetsOf(changes)
  // Samples alone have a statement of their own.
  if (!targets || targets.size === changes.filter(({ do: verb }) => verb === 'append').length) return undefined
  return stepOf(tables, account, { ...partsOf(batch), notices: notice ? [notice] : [] })
}

/**
 * Returns the documents, tasks and samples of a batch that may share a statement with others. Returns undefined for a
 * batch that may not, because it is too large or changes something twice, for which the order matters.
 */
export function targetsOf(batch: readonly Change[]): BatchTargets | undefined {
  // Checked first: listing thousands of documents in vain would take longer than writing some of them.
  if (batch.length > maxTargets || !batch.every(fitsOneStep)) return undefined
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
export function planTogether(
  tables: Tables,
  account: string,
  batches: readonly (readonly Change[])[],
  notices: readonly Notice[],
): Step {
  const indexedChanges = batches.flat().map((change, index): IndexedChange => [index, change])
  const { documents, ...parts } = partsOf(indexedChanges)
  // A document that several batches expect is checked once.
  const expected = new Set<string>()
  const distinct = documents.filter((change) => {
    if (change.do !== 'expect') return true
    const address = documentAddress(change.id)
    return !expected.has(address) && expected.add(address)
  })
  return stepOf(tables, account, { documents: distinct, ...parts, notices, together: true })
}

/** Returns the step that writes these parts. */
export function stepOf(tables: Tables, account: string, parts: StepParts): Step {
  return { statement: changesStatement(tables, account, parts), enqueued: parts.tasks ?? [] }
}

function partsOf(batch: readonly IndexedChange[]): {
  readonly documents: readonly DocumentChange[]
  readonly appended: readonly AppendedSample[]
  readonly tasks: readonly IndexedTaskChange[]
} {
  const documents: DocumentChange[] = []
  const appended: AppendedSample[] = []
  const tasks: IndexedTaskChange[] = []
  for (const [index, change] of batch) {
    if (isDocumentChange(change)) documents.push(change)
    else if (isTaskChange(change)) tasks.push([index, change])
    else if (change.do === 'append') {
      for (const sample of change.samples) appended.push({ series: change.series, sample, changeIndex: index })
    }
  }
  return { documents, appended, tasks }
}

function fitsOneStep(change: Change): change is OneStepChange {
  return isDocumentChange(change) || isTaskChange(change) || (change.do === 'append' && change.samples.length === 1)
}

function tasksOf(change: TaskChange): readonly string[] {
  return change.do === 'enqueue' ? change.tasks.map(({ id }) => id) : [change.task]
}
