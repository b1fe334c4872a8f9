import type { Host, WriteContext } from '../../operation/context.ts'
import { maxFailingTime, nextAttemptAt } from '../../rules/webhook-retry/retry-plan.ts'
import type { TakenTask, Task } from '../../storage/port.ts'
import type { Writer } from '../../storage/writer.ts'
import { type Destination, destinations } from './destination.ts'
import {
  attemptSample,
  destinationFailures,
  type ExportAttempt,
  exportAttempts,
  exportTasks,
  type WaitingExport,
  waitingEvents,
} from './destination-outbox.ts'
import type { WaitingBatch } from './export-batch.ts'

export interface ExportToRecord {
  /** The destination in the version with which the batch was sent. */
  readonly destination: Destination
  /** Time of the first failure since the last success, including this attempt: integer ms. */
  readonly failingSince: number
  readonly task: TakenTask
  readonly waiting: WaitingBatch
  readonly attempt: ExportAttempt
  /** Earliest time of the next attempt that the destination requests: integer ms, UTC. */
  readonly notBefore: number | undefined
}

/**
 * Writes the outcome of an attempt and its consequence. After a success the sent events are removed from the outbox.
 * After a failure the first task is tried again and the others wait, or the destination is turned off and keeps its
 * outbox.
 */
export async function recordExport(context: WriteContext, input: ExportToRecord): Promise<void> {
  const { tx } = context
  const host = context.useHost()
  const now = context.readClock()
  const { destination, failingSince, task, waiting, attempt, notBefore } = input
  const current = await tx.get(destinations, destination)
  if (!current) return finishTasks(tx, destination, waiting.tasks)
  // The attempts are deleted with the destination, and none may be added afterwards.
  tx.expect(destinations, destination, current)
  tx.append(exportAttempts, destination, [attemptSample(host.newId(), now, attempt)])
  if (attempt.outcome === 'success') {
    tx.discard(destinationFailures, destination)
    return finishTasks(tx, destination, [task, ...waiting.tasks.slice(1)])
  }
  const body = { ...(task.body as WaitingExport), attempt: attempt.number }
  const due = nextAttemptAt({
    attempt: attempt.number,
    now,
    chance: chanceOf(host),
    ...(notBefore ? { notBefore } : {}),
  })
  if (due !== undefined && now - failingSince < maxFailingTime) {
    tx.ensure(destinationFailures, destination, { since: now })
    return tx.postpone(exportTasks, destination, task, { due, body })
  }
  // The outbox stays, and the retries begin again with the first one when the destination is turned on.
  tx.discard(destinationFailures, destination)
  tx.postpone(exportTasks, destination, task, { due: now, body: { ...body, attempt: 0 } })
  if (!current.on || current.version !== destination.version) return
  const reason = 'Every attempt of the last three days failed.'
  tx.replace(destinations, destination, current, { ...current, on: false, disabledReason: reason })
  context.setComment(reason)
}

/**
 * Removes tasks with their events. A leased task is identified by `takes` too, so that only the process with the
 * current lease can finish it.
 */
export function finishTasks(
  tx: Writer,
  destination: Pick<Destination, 'projectKey' | 'environmentKey' | 'id'>,
  tasks: readonly (Task | TakenTask)[],
): void {
  for (const task of tasks) tx.finish(exportTasks, destination, task)
  const batches = tasks.filter(({ body }) => (body as WaitingExport).content === 'events')
  if (batches.length > 0)
    tx.deleteSamples(
      waitingEvents,
      destination,
      batches.map(({ id }) => id),
    )
}

function chanceOf({ randomHex }: Host): number {
  return Number.parseInt(randomHex(4), 16) / 2 ** 32
}
