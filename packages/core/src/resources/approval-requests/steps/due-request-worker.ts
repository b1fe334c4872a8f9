import {
  type ApprovalRequest,
  approvalRequests,
  type DueRequestTask,
  dueRequestTasks,
} from '../../../models/approval-requests/approval-request.ts'
import { performOrRecord } from '../../../operation/tasks/perform-or-record.ts'
import type { TaskWorker, TaskWorkerTools } from '../../../operation/tasks/task-worker.ts'
import { isOpen } from '../../../rules/approval/life.ts'
import { callerBehind } from '../../tokens/mandate.ts'
import { keysOf } from '../find-request.ts'
import { applyRequest } from './apply-request.ts'

/** Maximum duration of one change, ms. */
const mostMs = 5_000

/**
 * Creates the worker that applies requests at their scheduled time, when they have been approved by then, with the
 * remaining rights of their authors. A request that cannot be applied gets the status failed (D31).
 */
export function dueRequestWorker({ storage }: Pick<TaskWorkerTools, 'storage'>): TaskWorker {
  return {
    queue: dueRequestTasks.flag.name,
    caller: 'system/approval-requests',
    maxMs: mostMs,
    async work(task, context) {
      const { place } = task.body as DueRequestTask
      const collection = approvalRequests[place.kind]
      const tasks = dueRequestTasks[place.kind]
      const found = await context.tx.get(collection, { ...place, id: task.id })
      if (!found?.mandate || !isOpen(found)) {
        const written = await context.write('applyScheduledApprovalRequest', async ({ tx }) =>
          tx.finish(tasks, place, task),
        )
        return { outcome: written ? 'dropped' : 'lost' }
      }
      return performOrRecord(context, task, {
        id: 'applyScheduledApprovalRequest',
        by: await callerBehind(storage, found.mandate, `approval-request/${found.id}`),
        async perform(context) {
          const request: ApprovalRequest = (await context.tx.get(collection, keysOf(found))) ?? found
          // Cast: applying can fail with codes of operations; here they become the reason of a note.
          await applyRequest(context as never, request, undefined, task.takes)
        },
        async note(context, reason) {
          const { tx } = context
          tx.finish(tasks, place, task)
          tx.follow(collection, keysOf(found), found, { ...found, status: 'failed', failure: reason })
          context.remark(`The approval request could not be applied at its scheduled time: ${reason}`)
        },
      })
    },
  }
}
