import { operation } from '../../operation/operation.ts'
import { findRequestToStep } from './find-request.ts'
import { removeRequest } from './steps/remove-request.ts'

export const deleteApprovalRequest = operation({
  id: 'deleteApprovalRequest',
  summary: 'Delete an approval request that was not applied',
  method: 'DELETE',
  path: '/api/v2/approval-requests/{id}',
  success: { status: 204 },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: { open: true, why: 'its project is known only once it is found; who may not view that finds nothing' },
  handle: async (context, { params }) => removeRequest(context, await findRequestToStep(context, params)),
})
