import type { WriteContext } from '../../operation/context.ts'
import {
  type ScheduledChange,
  type ScheduledChangeKeys,
  type ScheduledTask,
  scheduledChangeTasks,
} from './scheduled-change.ts'

/** Names the task of a change, a new one for each plan: a task that is under way stays what it was. */
export function planned(context: Pick<WriteContext, 'useHost'>): Pick<ScheduledChange, 'taskId'> {
  const host = context.useHost()
  return { taskId: host.newId() }
}

/** Sees to it that a change is made at its time. */
export function enqueueChange(
  { tx }: Pick<WriteContext, 'tx'>,
  keys: Omit<ScheduledChangeKeys, 'id'>,
  { id, taskId, executionDate }: Pick<ScheduledChange, 'id' | 'taskId' | 'executionDate'>,
): void {
  const { projectKey, environmentKey, featureFlagKey } = keys
  const body: ScheduledTask = { projectKey, environmentKey, featureFlagKey, id }
  const task = { id: taskId, lane: '', at: executionDate, due: executionDate, body }
  tx.enqueue(scheduledChangeTasks, keys, [task])
}

/** Sees to it that it is not, also where a process has just begun to. */
export function dequeueChange(
  { tx }: Pick<WriteContext, 'tx'>,
  keys: Omit<ScheduledChangeKeys, 'id'>,
  { taskId }: Pick<ScheduledChange, 'taskId'>,
): void {
  tx.finish(scheduledChangeTasks, keys, { id: taskId })
}
