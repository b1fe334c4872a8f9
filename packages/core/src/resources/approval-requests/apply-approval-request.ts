import { optionalJsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { commentBody } from './approval-request-body.ts'
import { approvalRequestResponse } from './approval-request-response.ts'
import { findRequestForStep } from './find-request.ts'
import { applyRequest } from './steps/apply-request.ts'

export const applyApprovalRequest = operation({
  id: 'applyApprovalRequest',
  summary: 'Apply an approval request',
  method: 'POST',
  path: '/api/v2/approval-requests/{id}/apply',
  body: optionalJsonBody(commentBody),
  success: { status: 200, body: approvalRequestResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the project is known only once the resource is loaded; without viewProject the response is 404',
    demands: ['applyApprovalRequest'],
  },
  combines: 'sometimes',
  handle: async (context, { params, body }) =>
    applyRequest(context, await findRequestForStep(context, params), body.comment),
})
