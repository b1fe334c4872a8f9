import { operation } from '../../operation/operation.ts'
import { approvalRequestResponse } from './approval-request-response.ts'
import { findRequest } from './find-request.ts'
import { editRequest, requestPatch } from './steps/edit-request.ts'
import { undoRequests } from './steps/undo-requests.ts'

export const patchApprovalRequest = operation({
  id: 'patchApprovalRequest',
  undo: undoRequests,
  summary: 'Update the description or the reviewers of an approval request',
  method: 'PATCH',
  path: '/api/v2/approval-requests/{id}',
  beta: 'tagged',
  body: requestPatch,
  success: { status: 200, body: approvalRequestResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the project is known only once the resource is loaded; without viewProject the response is 404',
    demands: ['updateApprovalRequest'],
  },
  handle: async (context, { params, body }) => editRequest(context, await findRequest(context, params), body),
})
