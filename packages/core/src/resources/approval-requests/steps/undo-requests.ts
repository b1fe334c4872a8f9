import {
  type ApprovalRequest,
  approvalRequests,
  type DueRequestTask,
  dueRequestTasks,
  type RequestKeys,
} from '../../../models/approval-requests/approval-request.ts'
import { type UndoContext, type UndoRules, undoOf } from '../../../operation/undo/undo-rules.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { cancelDueTask } from './cancel-due-task.ts'
import { removeRequest } from './remove-request.ts'

const kinds = ['flag', 'segment'] as const

/** Rules for undoing changes of approval requests. */
export const undoRequests = kinds.map((kind) => undoOf(approvalRequests[kind], rulesOf(kind)))

function rulesOf(kind: (typeof kinds)[number]): UndoRules<ApprovalRequest, string> {
  const collection = approvalRequests[kind]
  return {
    create: 'createApprovalRequest',
    restores: ['executionDate', 'mandate', 'failure', 'applied'],
    update(context, keys, current, wanted) {
      if (!jsonEqual(current.reviews, wanted.reviews)) refuseReviews(context)
      // Cast: the keys are those of the collection.
      context.tx.replace(collection, keys as RequestKeys, current, wanted)
      if (current.executionDate !== undefined && current.status === 'scheduled') cancelDueTask(context.tx, current)
      if (wanted.status === 'scheduled') schedule(context, keys as RequestKeys, wanted)
    },
    async remove(context, _, request) {
      await removeRequest(context, request)
    },
    inserted(context, keys, request) {
      if (request.status === 'scheduled') schedule(context, keys as RequestKeys, request)
    },
  }

  function schedule(context: UndoContext, keys: RequestKeys, { id, place, executionDate }: ApprovalRequest): void {
    if (executionDate === undefined) return
    if (executionDate <= context.readClock()) {
      const message = 'This entry cannot be reverted: the time of a scheduled approval request has passed'
      context.fail('optimistic_locking_error', { message })
    }
    const body: DueRequestTask = { place }
    context.tx.enqueue(dueRequestTasks[kind], keys, [{ id, lane: '', at: executionDate, due: executionDate, body }])
  }
}

function refuseReviews({ fail }: UndoContext): never {
  return fail('invalid_request', { message: 'This entry cannot be reverted: a review is the decision of a person' })
}
