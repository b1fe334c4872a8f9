import {
  type ScheduledChange,
  type ScheduledChangeKeys,
  type ScheduledTask,
  scheduledChangeTasks,
} from '../../models/scheduled-changes/scheduled-change.ts'
import type { WriteContext } from '../../operation/context.ts'

/**
 * Makes a new id for the task of a scheduled change. Each edit gets a new task; the worker drops a task whose id is no
 * longer that of the change.
 */
export function newTaskId(context: Pick<WriteContext, 'useHost'>): Pick<ScheduledChange, 'taskId'> {
  const host = context.useHost()
  return { taskId: host.newId() }
}

/** Enqueues the task that applies a scheduled change at its execution date. */
export function enqueueChange(
  { tx }: Pick<WriteContext, 'tx'>,
  keys: Omit<ScheduledChangeKeys, 'id'>,
  { id, taskId, executionDate }: Pick<ScheduledChange, 'id' | 'taskId' | 'executionDate'>,
): void {
  const { projectKey, environmentKey, flagKey } = keys
  const body: ScheduledTask = { projectKey, environmentKey, flagKey, id }
  const task = { id: taskId, lane: '', at: executionDate, due: executionDate, body }
  tx.enqueue(scheduledChangeTasks, keys, [task])
}

/** Removes the task of a scheduled change, even when a process has already taken it. */
export function dequeueChange(
  { tx }: Pick<WriteContext, 'tx'>,
  keys: Omit<ScheduledChangeKeys, 'id'>,
  { taskId }: Pick<ScheduledChange, 'taskId'>,
): void {
  tx.finish(scheduledChangeTasks, keys, { id: taskId })
}
