import { operation } from '../../../operation/operation.ts'
import { approvalRequestResponse } from '../approval-request-response.ts'
import { findFlagRequest } from '../find-request.ts'
import { editRequest, requestPatch } from '../steps/edit-request.ts'

export const patchApprovalRequestForFlag = operation({
  id: 'patchApprovalRequestForFlag',
  summary: 'Update the description or the reviewers of an approval request of a flag',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests/{id}',
  beta: 'tagged',
  body: requestPatch,
  success: { status: 200, body: approvalRequestResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateApprovalRequest',
    resource: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  handle: async (context, { params, body }) => editRequest(context, await findFlagRequest(context, params), body),
})
