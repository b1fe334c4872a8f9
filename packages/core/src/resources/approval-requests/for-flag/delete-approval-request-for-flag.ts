import { operation } from '../../../operation/operation.ts'
import { findFlagRequest } from '../find-request.ts'
import { removeRequest } from '../steps/remove-request.ts'

export const deleteApprovalRequestForFlag = operation({
  id: 'deleteApprovalRequestForFlag',
  summary: 'Delete an approval request of a flag that has not been applied',
  method: 'DELETE',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests/{id}',
  success: { status: 204 },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'deleteApprovalRequest',
    resource: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  handle: async (context, { params }) => removeRequest(context, await findFlagRequest(context, params)),
})
