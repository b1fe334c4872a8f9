import { optionalJsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { commentBody } from '../approval-request-body.ts'
import { approvalRequestResponse } from '../approval-request-response.ts'
import { findFlagRequest } from '../find-request.ts'
import { applyRequest } from '../steps/apply-request.ts'

export const applyApprovalRequestForFlag = operation({
  id: 'applyApprovalRequestForFlag',
  summary: 'Apply an approval request of a flag',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests/{id}/apply',
  body: optionalJsonBody(commentBody),
  success: { status: 200, body: approvalRequestResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'applyApprovalRequest',
    resource: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  handle: async (context, { params, body }) =>
    applyRequest(context, await findFlagRequest(context, params), body.comment),
})
