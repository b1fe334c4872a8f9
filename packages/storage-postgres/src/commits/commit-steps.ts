import {
  type Change,
  type DocumentChange,
  type DocumentId,
  documentAddress,
  isDocumentChange,
  isTaskChange,
  type Sample,
  type TaskChange,
} from '@halyard/core/storage'
import type { Statement } from '../connections/sql-driver.ts'
import { addKeysStatement, moveKeysStatement, removeKeysStatement, removeOthersStatement } from '../key-sets.ts'
import { appendStatement, deleteSamplesStatement, trimStatement } from '../samples/sample-changes.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import { compareTexts } from '../statements/compare-texts.ts'
import type { IndexedTaskChange } from '../tasks/task-changes.ts'
import type { BatchWithNotification, ChangeNotification } from './change-notification.ts'
import { loadStatements } from './load.ts'
import { lockStatement } from './lock-documents.ts'
import { planOneStep, type Step, stepOf } from './one-step.ts'
import { fitsFunction, isSweep, type Sweep, sweepStatement } from './sweep.ts'
import { notificationStatement, withNotification } from './with-notification.ts'

/**
 * Number of keys or samples in one statement. With this number, a round trip costs little for each item, and the text
 * of a statement stays small.
 */
const chunkSize = 10_000

/**
 * Plans the statements of a batch. Their order has the same visible effect as the order of the changes. Changes of
 * documents are postponed until another change depends on them, so that one statement contains as many as possible and
 * rows that other transactions need are locked as late as possible.
 */
export function planSteps(accountTables: AccountTables, request: BatchWithNotification): Step[] {
  const step = planOneStep(accountTables, request)
  if (step) return [step]
  const { batch, notification } = request
  const lockedIds = documentsToLock(batch)
  const steps: Step[] = lockedIds.length > 0 ? [{ statement: lockStatement(accountTables, lockedIds) }] : []
  let pendingDocuments = new Map<string, DocumentChange>()
  const writeDocuments = (extraParts: { readonly notifications?: readonly ChangeNotification[] } = {}) => {
    if (pendingDocuments.size > 0)
      steps.push(stepOf(accountTables, { documents: [...pendingDocuments.values()], ...extraParts }))
    pendingDocuments = new Map()
  }
  for (const [index, change] of batch.entries()) {
    if (isDocumentChange(change)) {
      const address = documentAddress(change.id)
      if (pendingDocuments.has(address)) writeDocuments()
      pendingDocuments.set(address, change)
      continue
    }
    if (dependsOnDocuments(change)) writeDocuments()
    if (change.do === 'move-keys' && change.replace) {
      steps.push({ statement: removeOthersStatement(accountTables, change.into, change.from) })
    }
    if (isTaskChange(change)) steps.push(...taskSteps(accountTables, [index, change]))
    else if (isSweep(change)) steps.push(sweepStep(accountTables, index, change))
    else steps.push(...statementsOf(accountTables, change).map((statement) => ({ statement, change: index })))
  }
  if (pendingDocuments.size === 0) return notification ? appendNotification(steps, notification) : steps
  writeDocuments({ notifications: notification ? [notification] : [] })
  return steps
}

function sweepStep(accountTables: AccountTables, index: number, sweep: Sweep): Step {
  const statement = sweepStatement(accountTables, sweep)
  return fitsFunction(sweep) ? { statement, swept: [index] } : { statement, change: index }
}

/** Adds the notification to the last statement if possible; otherwise adds a statement that sends the notification. */
function appendNotification(steps: readonly Step[], notification: ChangeNotification): Step[] {
  const last = steps.at(-1)
  if (!last) return []
  const statement = withNotification(last.statement, notification)
  if (!statement) return [...steps, { statement: notificationStatement(notification) }]
  return [...steps.slice(0, -1), { ...last, statement, counting: true }]
}

/** Returns the steps of one change of tasks. */
function taskSteps(accountTables: AccountTables, [index, change]: IndexedTaskChange): Step[] {
  const parts =
    change.do === 'enqueue' ? chunks(change.tasks).map((tasks): TaskChange => ({ ...change, tasks })) : [change]
  return parts.map((part) => stepOf(accountTables, { documents: [], tasks: [[index, part]] }))
}

/** Returns true when postponed changes of documents must be written before a change. */
function dependsOnDocuments(change: Change): boolean {
  return isSweep(change) || change.do === 'load' || change.do === 'run-statement'
}

/** Returns the documents to lock before a batch clears a scope or a part of it. */
function documentsToLock(batch: readonly Change[]): DocumentId[] {
  if (!batch.some(isSweep)) return []
  const changes = batch.filter(isDocumentChange).filter((change) => 'version' in change)
  return changes.map((change) => change.id)
}

function statementsOf(
  accountTables: AccountTables,
  change: Exclude<Change, DocumentChange | TaskChange | Sweep>,
): Statement[] {
  switch (change.do) {
    case 'add-keys':
      return distinctChunks(change.keys).map((chunk) => addKeysStatement(accountTables, change.set, chunk))
    case 'remove-keys':
      return distinctChunks(change.keys).map((chunk) => removeKeysStatement(accountTables, change.set, chunk))
    case 'move-keys':
      return [moveKeysStatement(accountTables, change.from, change.into)]
    case 'append':
      return chunks(change.samples.toSorted(byId)).map((chunk) => appendStatement(accountTables, change.series, chunk))
    case 'run-statement':
      return [{ text: change.text, values: change.values, ofApplication: true }]
    case 'load':
      return loadStatements(accountTables, change.records, chunks)
    case 'delete-samples':
      return distinctChunks(change.ids).map((chunk) => deleteSamplesStatement(accountTables, change.series, chunk))
    case 'trim':
      return [trimStatement(accountTables, change.series, change.before)]
  }
}

// Keys and samples are sorted, so that batches that add the same keys or samples wait in turn instead of blocking each
// other in a deadlock. Samples with the same id keep their order.
function distinctChunks(keys: readonly string[]): (readonly string[])[] {
  return chunks([...new Set(keys)].sort())
}

function byId(a: Sample, b: Sample): number {
  return compareTexts(a.id, b.id)
}

function chunks<T>(items: readonly T[]): (readonly T[])[] {
  const starts = Array.from({ length: Math.ceil(items.length / chunkSize) }, (_, chunk) => chunk * chunkSize)
  return starts.map((start) => items.slice(start, start + chunkSize))
}
