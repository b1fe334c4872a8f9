import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { reviewBody } from './approval-request-body.ts'
import { approvalRequestResponse } from './approval-request-response.ts'
import { findRequestForStep } from './find-request.ts'
import { reviewRequest } from './steps/review-request.ts'

export const reviewApprovalRequest = operation({
  id: 'reviewApprovalRequest',
  summary: 'Review an approval request: approve, decline or comment',
  method: 'POST',
  path: '/api/v2/approval-requests/{id}/reviews',
  body: jsonBody(reviewBody),
  success: { status: 200, body: approvalRequestResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the project is known only once the resource is loaded; without viewProject the response is 404',
    demands: ['reviewApprovalRequest'],
  },
  handle: async (context, { params, body }) => reviewRequest(context, await findRequestForStep(context, params), body),
})
