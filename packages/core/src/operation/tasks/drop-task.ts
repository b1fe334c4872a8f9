import type { Writer } from '../../storage/writer.ts'
import type { TaskContext, TaskResult } from './task-worker.ts'

/**
 * Finishes a task that has nothing left to do, because its subject was changed after the task was enqueued.
 *
 * @param id name of the work in the change log.
 * @param finish finishes the task.
 */
export async function dropTask(
  { write }: Pick<TaskContext, 'write'>,
  id: string,
  finish: (tx: Writer) => void,
): Promise<TaskResult> {
  const removed = await write(id, async ({ tx }) => finish(tx))
  return { outcome: removed ? 'dropped' : 'lost' }
}
