import {
  type ScheduledChange,
  type ScheduledChangeKeys,
  type ScheduledTask,
  scheduledChangeTasks,
} from '../../models/scheduled-changes/scheduled-change.ts'
import type { WriteContext } from '../../operation/context.ts'

/** Makes the id of the task of a change. Each plan gets a new task, because a running task keeps its content. */
export function newTaskId(context: Pick<WriteContext, 'useHost'>): Pick<ScheduledChange, 'taskId'> {
  const host = context.useHost()
  return { taskId: host.newId() }
}

/** Enqueues the task that makes a change at its time. */
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

/** Removes the task of a change, also when a process has just started it. */
export function dequeueChange(
  { tx }: Pick<WriteContext, 'tx'>,
  keys: Omit<ScheduledChangeKeys, 'id'>,
  { taskId }: Pick<ScheduledChange, 'taskId'>,
): void {
  tx.finish(scheduledChangeTasks, keys, { id: taskId })
}
