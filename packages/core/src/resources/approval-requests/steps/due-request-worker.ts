import {
  type ApprovalRequest,
  type DueRequestTask,
  dueRequestQueue,
  dueRequestsAbout,
  requestsAbout,
} from '../../../models/approval-requests/approval-request.ts'
import { performOrRecord } from '../../../operation/tasks/perform-or-record.ts'
import type { TaskWorker, TaskWorkerTools } from '../../../operation/tasks/task-worker.ts'
import { isOpen } from '../../../rules/approval/approval-steps.ts'
import { callerOfMandate } from '../../tokens/mandate.ts'
import { requestKeysOf } from '../find-request.ts'
import { applyRequest } from './apply-request.ts'

/** Maximum duration of one change, ms. */
const maxMs = 5_000

/**
 * Creates the worker that applies requests with the remaining rights of their authors: approved requests at their
 * scheduled time, and others as soon as the last missing approval is given. A request that cannot be applied gets the
 * status failed (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export function dueRequestWorker({ storage }: Pick<TaskWorkerTools, 'storage'>): TaskWorker {
  return {
    queue: dueRequestQueue,
    caller: 'system/approval-requests',
    maxMs,
    async work(task, context) {
      const { place: resourceRef } = task.body as DueRequestTask
      const collection = requestsAbout(resourceRef)
      const tasks = dueRequestsAbout(resourceRef)
      const scheduled = await context.tx.get(collection, { ...resourceRef, id: task.id })
      if (!scheduled?.mandate || !isOpen(scheduled)) {
        const written = await context.write('applyScheduledApprovalRequest', async ({ tx }) =>
          tx.finish(tasks, resourceRef, task),
        )
        return { outcome: written ? 'dropped' : 'lost' }
      }
      return performOrRecord(context, task, {
        id: 'applyScheduledApprovalRequest',
        author: await callerOfMandate(storage, scheduled.mandate, `approval-request/${scheduled.id}`),
        async perform(context) {
          const request: ApprovalRequest = (await context.tx.get(collection, requestKeysOf(scheduled))) ?? scheduled
          // Cast: a worker declares no error codes; it records each failure with its reason.
          await applyRequest(context as never, request, undefined, task.takes)
        },
        async recordFailure(context, reason) {
          const { tx } = context
          const now = context.readClock()
          tx.finish(tasks, resourceRef, task)
          tx.follow(collection, requestKeysOf(scheduled), scheduled, {
            ...scheduled,
            status: 'failed',
            failure: reason,
            failedAt: now,
          })
          tx.describe(collection, requestKeysOf(scheduled), [({ it }) => `failed to apply ${it} at its scheduled time`])
          context.setComment(`The approval request could not be applied at its scheduled time: ${reason}`)
        },
      })
    },
  }
}
