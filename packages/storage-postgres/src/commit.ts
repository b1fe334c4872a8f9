import type { Change, CommitOutcome, DocumentId, Sample } from '@halyard/core'
import { clearStatements, discardAllStatement, lockStatement } from './clear.ts'
import { type DocumentChange, documentsStatement } from './document-changes.ts'
import { getVersions } from './documents.ts'
import { addMembersStatement, moveMembersStatement, removeMembersStatement, removeOthersStatement } from './members.ts'
import { addressOf, findRefusal, isDocumentChange, type Refusal } from './preconditions.ts'
import { appendStatement, trimStatement } from './samples.ts'
import type { Query, SqlDriver, Statement } from './sql-driver.ts'
import { troubleOf } from './sqlstate.ts'
import type { Tables } from './tables.ts'

/** Members or samples in one statement: enough to make the round trip cheap, few enough to keep its text small. */
const chunkSize = 10_000

/** One statement of a commit, and the change whose count its rows belong to. */
interface Step {
  readonly statement: Statement
  readonly change?: number
  /** Rows that are not counted. */
  readonly besides?: number
}

/**
 * Writes a batch. One statement is sent as it is; several go into one transaction.
 *
 * When the database rolls a batch back because of another's write, the documents are looked at again to say which
 * change was refused. If by then all preconditions hold (the other one was itself rolled back, or a deadlock was
 * broken before anything was decided), the batch is tried a second time and then given up as a conflict.
 */
export async function commitBatch(
  driver: SqlDriver,
  tables: Tables,
  account: string,
  batch: readonly Change[],
): Promise<CommitOutcome> {
  const steps = planSteps(tables, account, batch)
  for (let lastAttempt = false; ; lastAttempt = true) {
    try {
      return { outcome: 'committed', counts: await runSteps(driver, batch, steps) }
    } catch (error) {
      if (troubleOf(error) !== 'refused') throw error
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
    for (const { statement, change, besides = 0 } of steps) {
      const { count } = await query(statement)
      if (change !== undefined) counts[change] = (counts[change] ?? 0) + count - besides
    }
  }
  if (steps.length === 1) await run(driver.query)
  if (steps.length > 1) await driver.transaction(run)
  return counts
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
  return findRefusal(batch, versions)
}

/**
 * The statements of a batch, in the order of its changes as far as that can be told from outside. Changes of documents
 * are put off until something depends on them: all that can go into one statement does, and rows that others
 * want are locked as late as possible.
 */
function planSteps(tables: Tables, account: string, batch: readonly Change[]): Step[] {
  const one = planOneStep(tables, account, batch)
  if (one) return [one]
  const locked = lockedFirst(batch)
  const steps: Step[] = locked.length > 0 ? [{ statement: lockStatement(tables, account, locked) }] : []
  let waiting = new Map<string, DocumentChange>()
  const writeDocuments = () => {
    if (waiting.size > 0) steps.push({ statement: documentsStatement(tables, account, [...waiting.values()]) })
    waiting = new Map()
  }
  for (const [index, change] of batch.entries()) {
    if (isDocumentChange(change)) {
      if (waiting.has(addressOf(change.id))) writeDocuments()
      waiting.set(addressOf(change.id), change)
      continue
    }
    if (isSweeping(change)) writeDocuments()
    if (change.do === 'move-members' && change.replace) {
      steps.push({ statement: removeOthersStatement(tables, account, change.into, change.from) })
    }
    steps.push(...statementsOf(tables, account, change).map((statement) => ({ statement, change: index })))
  }
  writeDocuments()
  return steps
}

/** The whole of a batch that changes distinct documents and appends one sample, as most changes do: one round trip. */
function planOneStep(tables: Tables, account: string, batch: readonly Change[]): Step | undefined {
  const last = batch.at(-1)
  const changes = batch.slice(0, -1).filter(isDocumentChange)
  if (last?.do !== 'append' || changes.length === 0 || changes.length < batch.length - 1) return undefined
  const [sample, ...others] = last.samples
  const distinct = new Set(changes.map(({ id }) => addressOf(id))).size === changes.length
  if (!sample || others.length > 0 || !distinct) return undefined
  const statement = documentsStatement(tables, account, changes, { series: last.series, sample })
  return { statement, change: batch.length - 1, besides: 1 }
}

/** Whether a change is about documents that it does not name. */
function isSweeping({ do: verb }: Change): boolean {
  return verb === 'clear' || verb === 'discard-all'
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

function statementsOf(tables: Tables, account: string, change: Exclude<Change, DocumentChange>): Statement[] {
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
    case 'trim':
      return [trimStatement(tables, account, change.series, change.before)]
    case 'enqueue':
    case 'finish':
    case 'postpone':
    case 'load':
      throw new Error('not yet')
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
