import {
  type ApprovalRequest,
  approvalRequests,
  type DueRequestTask,
  dueRequestsAbout,
  type RequestKeys,
  type requestsAbout,
} from '../../../models/approval-requests/approval-request.ts'
import { workflows } from '../../../models/workflows/workflow.ts'
import { type UndoContext, type UndoRules, undoOf } from '../../../operation/undo/undo-rules.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { cancelDueTask } from './cancel-due-task.ts'
import { removeRequest } from './remove-request.ts'

/** Rules for undoing changes of approval requests. */
export const undoRequests = Object.values(approvalRequests).map((requests) => undoOf(requests, rulesOf(requests)))

function rulesOf(collection: ReturnType<typeof requestsAbout>): UndoRules<ApprovalRequest, string> {
  return {
    create: 'createApprovalRequest',
    restores: ['executionDate', 'mandate', 'failure', 'applied'],
    update(context, { keys, current, wanted }) {
      if (!jsonEqual(current.reviews, wanted.reviews)) refuseReviews(context)
      // A workflow does not return to a stage whose change is reverted, so the request of that stage stays applied.
      if (current.workflow && current.status !== wanted.status) return
      // Cast: the keys are those of the collection.
      context.tx.replace(collection, keys as RequestKeys, current, wanted)
      if (current.executionDate !== undefined && current.status === 'scheduled') cancelDueTask(context.tx, current)
      if (wanted.status === 'scheduled') schedule(context, keys as RequestKeys, wanted)
    },
    async remove(context, _, request, { documents }) {
      // The workflow, which the same revert deletes, removes its requests.
      const isRemoved = documents.some(
        ({ collection: { name }, keys, wanted }) =>
          name === workflows.name && keys.workflowId === request.workflow?.id && wanted === undefined,
      )
      if (!isRemoved) await removeRequest(context, request)
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
    context.tx.enqueue(dueRequestsAbout(place), keys, [{ id, lane: '', at: executionDate, due: executionDate, body }])
  }
}

function refuseReviews({ fail }: UndoContext): never {
  return fail('invalid_request', { message: 'This entry cannot be reverted: a review is the decision of a person' })
}
