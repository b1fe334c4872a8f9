import { type Change, type CommitOutcome, findRefusal, isDocumentChange } from '@halyard/core/storage'
import { planSteps } from './commit-steps.ts'
import { notificationSteps } from './other-commits.ts'
import type { SqliteDriver, WriteResult } from './sqlite-driver.ts'
import type { Step } from './step.ts'
import { readStoredState } from './stored-state.ts'

/** A batch to commit. */
export interface CommitRequest {
  readonly account: string
  readonly batch: readonly Change[]
  /** The change notification for other processes, if they must be notified. */
  readonly notification: string | undefined
}

interface WaitingCommit extends CommitRequest {
  readonly steps: readonly Step[]
  readonly resolve: (outcome: CommitOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Maximum number of statements of commits that are written together. */
const maxGroupedStatements = 400

/**
 * Commits batches one after the other. Batches that arrive while others are written wait and are then written in one
 * transaction, because a transaction and a wait for the disk cost nearly the same for ten batches as for one. Each
 * batch has its own outcome: a refused batch does not affect the others.
 *
 * @param driver returns the driver, or throws when the storage is closed.
 */
export function commitQueue(driver: () => SqliteDriver): (request: CommitRequest) => Promise<CommitOutcome> {
  let waiting: WaitingCommit[] = []
  let writing = false
  let commits = 0

  async function writeAll(): Promise<void> {
    writing = true
    while (waiting.length > 0) {
      let group: readonly WaitingCommit[] = waiting
      try {
        await driver().nextTurn()
        group = takeGroup()
        await writeGroup(driver(), group)
      } catch (error) {
        waiting = waiting.filter((one) => !group.includes(one))
        for (const { reject } of group) reject(error)
      }
    }
    writing = false
  }

  function takeGroup(): WaitingCommit[] {
    let statements = 0
    const end = waiting.findIndex(({ steps }, i) => (statements += steps.length) > maxGroupedStatements && i > 0)
    const group = end === -1 ? waiting : waiting.slice(0, end)
    waiting = end === -1 ? [] : waiting.slice(end)
    return group
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const commit = { ...request, steps: stepsOf(request, ++commits), resolve, reject }
      if (!driver().sharesRequests) return void writeGroup(driver(), [commit]).catch(reject)
      waiting.push(commit)
      if (!writing) void writeAll()
    })
}

function stepsOf({ account, batch, notification }: CommitRequest, commit: number): readonly Step[] {
  return [...planSteps(account, batch), ...notificationSteps(notification, commit)]
}

async function writeGroup(driver: SqliteDriver, group: readonly WaitingCommit[]): Promise<void> {
  const results = await driver.write(group.map(({ steps }) => steps.map(({ statement }) => statement)))
  for (const [i, waitingCommit] of group.entries()) {
    const result = results[i]
    if (result && 'rows' in result) waitingCommit.resolve(committed(waitingCommit, result.rows))
    else await refuse(driver, waitingCommit)
  }
}

/**
 * Finds the change that was refused. When all preconditions are true by now, because another process has written since,
 * the batch is tried again, and then reported as a conflict.
 */
async function refuse(driver: SqliteDriver, waitingCommit: WaitingCommit): Promise<void> {
  const { account, batch, steps, resolve, reject } = waitingCommit
  try {
    const refusal = () => readStoredState({ driver, account }, batch).then((stored) => findRefusal(stored, batch))
    const first = await refusal()
    if (first) return resolve(first)
    const [result] = await driver.write([steps.map(({ statement }) => statement)])
    if (result && 'rows' in result) return resolve(committed(waitingCommit, result.rows))
    resolve((await refusal()) ?? { outcome: 'conflict', change: Math.max(0, batch.findIndex(isDocumentChange)) })
  } catch (error) {
    reject(error)
  }
}

function committed(
  { batch, steps }: WaitingCommit,
  rows: Extract<WriteResult, { readonly rows: unknown }>['rows'],
): CommitOutcome {
  // A change with a precondition on its document was applied: otherwise the batch would have been undone.
  const counts: number[] = batch.map(({ do: verb }) =>
    verb === 'insert' || verb === 'replace' || verb === 'remove' ? 1 : 0,
  )
  for (const [i, { counts: index }] of steps.entries()) {
    if (index !== undefined) counts[index] = (counts[index] ?? 0) + Number(rows[i]?.[0]?.n)
  }
  return { outcome: 'committed', counts }
}
