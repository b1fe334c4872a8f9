import type { TaskContext, TaskResult } from '../../operation/tasks/task-worker.ts'
import type { TakenTask } from '../../storage/port.ts'
import type { Destination } from './destination.ts'
import {
  attemptSample,
  exportAttempts,
  exportTasks,
  outboxRetentionMs,
  type WaitingExport,
} from './destination-outbox.ts'
import { finishTasks } from './record-export.ts'

/** Interval between two checks of the outbox of a destination that is off, in ms. */
const checkIntervalMs = 60_000

/** Maximum number of tasks that are dropped at a time. */
const maxDropped = 100

/**
 * Keeps the outbox of a destination that is off. Events older than a week are dropped, and the loss is recorded as an
 * attempt.
 */
export async function keepOutbox(
  { tx, host, write }: TaskContext,
  keys: Pick<Destination, 'projectKey' | 'environmentKey' | 'id'>,
  task: TakenTask,
): Promise<TaskResult> {
  const now = host.now()
  if (now - task.at < outboxRetentionMs) {
    await write('exportData', async (context) =>
      context.tx.postpone(exportTasks, keys, task, { ...task, due: now + checkIntervalMs }),
    )
    return { outcome: 'dropped' }
  }
  const waiting = await tx.listTasks(exportTasks, keys, { limit: maxDropped })
  const old = [task, ...waiting.filter(({ id, at }) => id !== task.id && now - at >= outboxRetentionMs)]
  const events = old.reduce((sum, { body }) => sum + (body as WaitingExport).count, 0)
  const reason = 'The destination was off for a week.'
  const attempt = { delivery: task.id, outcome: 'dropped', reason, number: 1, events } as const
  const written = await write('exportData', async (context) => {
    finishTasks(context.tx, keys, old)
    context.tx.append(exportAttempts, keys, [attemptSample(host.newId(), now, attempt)])
  })
  return { outcome: written ? 'dropped' : 'lost' }
}
