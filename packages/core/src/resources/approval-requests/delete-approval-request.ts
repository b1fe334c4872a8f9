import { operation } from '../../operation/operation.ts'
import { findRequestForStep } from './find-request.ts'
import { removeRequest } from './steps/remove-request.ts'

export const deleteApprovalRequest = operation({
  id: 'deleteApprovalRequest',
  summary: 'Delete an approval request that has not been applied',
  method: 'DELETE',
  path: '/api/v2/approval-requests/{id}',
  success: { status: 204 },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the project is known only once the resource is loaded; without viewProject the response is 404',
    demands: ['deleteApprovalRequest'],
  },
  handle: async (context, { params }) => removeRequest(context, await findRequestForStep(context, params)),
})
