import type { CommitOutcome } from '@halyard/core/storage'
import type { BatchWithNotification } from './change-notification.ts'
import { type BatchTargets, mayDelete, type OneStepBatch, oneStepBatch } from './one-step.ts'
import { refuseOutdated } from './refuse-outdated.ts'

/** Writes batches to the database. */
export interface CommitWriter {
  /** Writes one batch. */
  writeOne(request: BatchWithNotification): Promise<CommitOutcome>
  /** Writes several independent batches, all or none. */
  writeMany(requests: readonly BatchWithNotification[]): Promise<readonly CommitOutcome[] | GroupFailure>
}

/**
 * The reason why no batch of a group was written.
 *
 * - `refused`: a precondition failed or a concurrent write won, so the group is divided.
 * - `failed`: the server rejected the statement for another reason, e.g. a lock timeout, so each batch is written
 *   alone.
 */
export type GroupFailure = 'refused' | 'failed'

interface WaitingBatch extends BatchWithNotification {
  readonly parts: OneStepBatch
  readonly resolve: (outcome: CommitOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Number of concurrent writes above which a batch waits until one of them ends. */
const maxConcurrentWrites = 2

/**
 * Maximum time that a batch waits, ms. When another transaction has locked a row, only the batches that write this row
 * should wait for it.
 */
const maxWaitMs = 5

/**
 * Maximum number of batches that are written together. Larger groups would not be cheaper, and all batches of a group
 * wait for the slowest one.
 */
const maxGroupSize = 50

/**
 * Maximum number of documents, tasks and samples of a batch that may wait. A larger batch is sent in a statement of its
 * own.
 */
const maxTargets = 100

/**
 * Groups commits: batches that arrive while other writes are running wait until one of those ends. All batches that
 * have arrived by then are written as one, because a statement, a transaction and a wait for the disk cost nearly the
 * same for ten changes as for one.
 *
 * A batch that arrives while nothing is running never waits. Each batch has its own outcome: when a precondition of one
 * batch fails or a concurrent write wins, no batch of the group is written, and the two halves of the group are tried
 * as separate groups. When the statement fails for another reason, each batch is written alone, because a half could
 * wait for the same lock.
 *
 * A batch that replaces the same version of a document as an earlier batch waits for that batch. When the earlier batch
 * has replaced the version, the later one is refused without a statement.
 *
 * @returns a function that commits a batch.
 */
export function groupCommits(writer: CommitWriter): (request: BatchWithNotification) => Promise<CommitOutcome> {
  let waiting: WaitingBatch[] = []
  let runningWrites = 0
  let waitTimer: ReturnType<typeof setTimeout> | undefined

  function startGroup(): void {
    clearTimeout(waitTimer)
    waitTimer = undefined
    const group: WaitingBatch[] = []
    const later: WaitingBatch[] = []
    const groupTargets = new Map<string, number | 'changed'>()
    for (const batch of waiting) {
      const { parts } = batch
      // The server refuses a statement that deletes a row twice.
      const isApart = group.every((other) => !mayDelete(parts, other.parts) && !mayDelete(other.parts, parts))
      if (group.length < maxGroupSize && isApart && isIndependent(parts.targets, groupTargets)) {
        group.push(batch)
        for (const [target, version] of parts.targets) groupTargets.set(target, version)
      } else later.push(batch)
    }
    waiting = later
    if (waiting.length > 0) waitTimer = setTimeout(startGroup, maxWaitMs)
    void write(group)
  }

  async function write(group: readonly WaitingBatch[]): Promise<void> {
    const [first, ...others] = group
    runningWrites++
    let outcomes: readonly CommitOutcome[] | GroupFailure
    try {
      outcomes = first && others.length === 0 ? [await writer.writeOne(first)] : await writer.writeMany(group)
    } catch (error) {
      writeEnded()
      for (const { reject } of group) reject(error)
      return
    }
    // This runs before any caller continues, because a caller may commit again immediately.
    writeEnded()
    if (outcomes === 'refused') return divide(group)
    for (const [i, waitingBatch] of group.entries()) {
      const outcome = outcomes === 'failed' ? undefined : outcomes[i]
      if (outcome) waitingBatch.resolve(outcome)
      else writer.writeOne(waitingBatch).then(waitingBatch.resolve, waitingBatch.reject)
    }
  }

  function divide(group: readonly WaitingBatch[]): void {
    const middle = Math.ceil(group.length / 2)
    for (const half of [group.slice(0, middle), group.slice(middle)]) void write(half)
  }

  function writeEnded(): void {
    runningWrites--
    if (waiting.length > 0) startGroup()
  }

  return refuseOutdated((request) => {
    const parts = oneStepBatch(request.batch)
    if (!parts || parts.targets.size === 0 || parts.targets.size > maxTargets) return writer.writeOne(request)
    return new Promise((resolve, reject) => {
      waiting.push({ ...request, parts, resolve, reject })
      if (runningWrites < maxConcurrentWrites) startGroup()
      else waitTimer ??= setTimeout(startGroup, maxWaitMs)
    })
  })
}

/** Returns true when neither batch changes a document, task or sample that the other batch changes or expects. */
function isIndependent(targets: BatchTargets, otherTargets: BatchTargets): boolean {
  for (const [target, version] of targets) {
    const otherVersion = otherTargets.get(target)
    if (otherVersion !== undefined && (otherVersion === 'changed' || otherVersion !== version)) return false
  }
  return true
}
