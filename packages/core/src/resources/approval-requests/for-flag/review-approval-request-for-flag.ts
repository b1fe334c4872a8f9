import { jsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { reviewBody } from '../approval-request-body.ts'
import { approvalRequestResponse } from '../approval-request-response.ts'
import { findFlagRequest } from '../find-request.ts'
import { reviewRequest } from '../steps/review-request.ts'

export const reviewApprovalRequestForFlag = operation({
  id: 'reviewApprovalRequestForFlag',
  summary: 'Review an approval request of a flag: approve, decline or comment',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests/{id}/reviews',
  body: jsonBody(reviewBody),
  success: { status: 200, body: approvalRequestResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'reviewApprovalRequest',
    resource: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  handle: async (context, { params, body }) => reviewRequest(context, await findFlagRequest(context, params), body),
})
