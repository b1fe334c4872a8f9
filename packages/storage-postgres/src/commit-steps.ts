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
import { compareTexts } from './compare-texts.ts'
import { addKeysStatement, moveKeysStatement, removeKeysStatement, removeOthersStatement } from './key-sets.ts'
import { loadStatements } from './load.ts'
import { lockStatement } from './lock-documents.ts'
import type { Notice } from './notice.ts'
import { planOneStep, type Step, stepOf } from './one-step.ts'
import { appendStatement, deleteSamplesStatement, trimStatement } from './sample-changes.ts'
import type { Statement } from './sql-driver.ts'
import { fitsFunction, isSweep, type Sweep, sweepStatement } from './sweep.ts'
import type { Tables } from './tables.ts'
import { noticeStatement, withNotice } from './with-notice.ts'

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
export function planSteps(
  tables: Tables,
  account: string,
  batch: readonly Change[],
  notice: Notice | undefined,
): Step[] {
  const step = planOneStep(tables, account, batch, notice)
  if (step) return [step]
  const lockedIds = documentsToLock(batch)
  const steps: Step[] = lockedIds.length > 0 ? [{ statement: lockStatement(tables, account, lockedIds) }] : []
  let pendingDocuments = new Map<string, DocumentChange>()
  const writeDocuments = (extraParts: { readonly notices?: readonly Notice[] } = {}) => {
    if (pendingDocuments.size > 0)
      steps.push(stepOf(tables, account, { documents: [...pendingDocuments.values()], ...extraParts }))
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
      steps.push({ statement: removeOthersStatement(tables, account, change.into, change.from) })
    }
    if (isTaskChange(change)) steps.push(...taskSteps(tables, account, index, change))
    else if (isSweep(change)) steps.push(sweepStep(tables, account, index, change))
    else steps.push(...statementsOf(tables, account, change).map((statement) => ({ statement, change: index })))
  }
  if (pendingDocuments.size === 0) return notice ? appendNotice(steps, notice) : steps
  writeDocuments({ notices: notice ? [notice] : [] })
  return steps
}

function sweepStep(tables: Tables, account: string, index: number, sweep: Sweep): Step {
  const statement = sweepStatement(tables, account, sweep)
  return fitsFunction(sweep) ? { statement, swept: [index] } : { statement, change: index }
}

/** Adds the notice to the last statement if possible; otherwise adds a statement that sends the notice. */
function appendNotice(steps: readonly Step[], notice: Notice): Step[] {
  const last = steps.at(-1)
  if (!last) return []
  const statement = withNotice(last.statement, notice)
  if (!statement) return [...steps, { statement: noticeStatement(notice) }]
  return [...steps.slice(0, -1), { ...last, statement, counting: true }]
}

/** Returns the steps of one change of tasks. */
function taskSteps(tables: Tables, account: string, index: number, change: TaskChange): Step[] {
  const parts =
    change.do === 'enqueue' ? chunks(change.tasks).map((tasks): TaskChange => ({ ...change, tasks })) : [change]
  return parts.map((part) => stepOf(tables, account, { documents: [], tasks: [[index, part]] }))
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
  tables: Tables,
  account: string,
  change: Exclude<Change, DocumentChange | TaskChange | Sweep>,
): Statement[] {
  switch (change.do) {
    case 'add-keys':
      return distinctChunks(change.keys).map((chunk) => addKeysStatement(tables, account, change.set, chunk))
    case 'remove-keys':
      return distinctChunks(change.keys).map((chunk) => removeKeysStatement(tables, account, change.set, chunk))
    case 'move-keys':
      return [moveKeysStatement(tables, account, change.from, change.into)]
    case 'append':
      return chunks(change.samples.toSorted(byId)).map((chunk) =>
        appendStatement(tables, account, change.series, chunk),
      )
    case 'run-statement':
      return [{ text: change.text, values: change.values, ofApplication: true }]
    case 'load':
      return loadStatements(tables, account, change.records, chunks)
    case 'delete-samples':
      return distinctChunks(change.ids).map((chunk) => deleteSamplesStatement(tables, account, change.series, chunk))
    case 'trim':
      return [trimStatement(tables, account, change.series, change.before)]
  }
}

// Keys and samples are sorted, so that batches that add the same ones wait in turn instead of blocking each other in a
// deadlock. Samples with the same id keep their order.
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
