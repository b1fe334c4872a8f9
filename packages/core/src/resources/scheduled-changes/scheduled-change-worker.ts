import { environments } from '../../models/environments/environment.ts'
import {
  type ScheduledTask,
  scheduledChanges,
  scheduledChangeTasks,
} from '../../models/scheduled-changes/scheduled-change.ts'
import { fail } from '../../operation/errors.ts'
import { dropTask } from '../../operation/tasks/drop-task.ts'
import { performOrRecord } from '../../operation/tasks/perform-or-record.ts'
import type { TaskWorker, TaskWorkerTools } from '../../operation/tasks/task-worker.ts'
import { loadFlagSubject } from '../approval-requests/subjects/flag-subject.ts'
import { callerOfMandate } from '../tokens/mandate.ts'

/** Maximum duration of one change, ms. */
const maxMs = 5_000

/** Makes the worker of scheduled changes of flags. Each runs with the rights that its author still has. */
export function scheduledChangeWorker({ storage }: Pick<TaskWorkerTools, 'storage'>): TaskWorker {
  return {
    queue: scheduledChangeTasks.name,
    caller: 'system/scheduled-changes',
    maxMs,
    async work(task, context) {
      const keys = task.body as ScheduledTask
      const scheduledChange = await context.tx.get(scheduledChanges, keys)
      // The scheduled change was deleted or rescheduled after a process had taken its task.
      if (scheduledChange?.taskId !== task.id) {
        return dropTask(context, 'applyScheduledChange', (tx) => tx.finish(scheduledChangeTasks, keys, task))
      }
      return performOrRecord(context, task, {
        id: 'applyScheduledChange',
        author: await callerOfMandate(storage, scheduledChange.mandate, `scheduled-change/${scheduledChange.id}`),
        async perform(context) {
          const { tx } = context
          tx.finish(scheduledChangeTasks, keys, task)
          const { projectKey, environmentKey, flagKey: resourceKey } = keys
          const resourceRef = { kind: 'flag', projectKey, environmentKey, resourceKey } as const
          const [subject, environment] = await Promise.all([
            loadFlagSubject(tx, resourceRef),
            tx.get(environments, keys),
          ])
          if (!subject || !environment) return fail('not_found')
          if (environment.approvalSettings.bypassApprovalsForPendingChanges) context.setApproved(resourceRef)
          const options = { comment: scheduledChange.comment, fullCheck: true }
          // Cast: a worker declares no error codes; it records each failure with its reason.
          await subject.apply(context as never, scheduledChange.instructions, options)
          tx.remove(scheduledChanges, keys, scheduledChange)
          tx.describe(scheduledChanges, keys, [({ it }) => `applied the scheduled change of ${it}:`])
          context.setComment(scheduledChange.comment === '' ? 'scheduled change' : scheduledChange.comment)
        },
        async recordFailure(context, reason) {
          const { tx } = context
          const now = context.readClock()
          tx.finish(scheduledChangeTasks, keys, task)
          tx.follow(scheduledChanges, keys, scheduledChange, { ...scheduledChange, failure: { at: now, reason } })
          tx.describe(scheduledChanges, keys, [({ it }) => `failed to apply the scheduled change of ${it}`])
          context.setComment(`A scheduled change could not be made: ${reason}`)
        },
      })
    },
  }
}
