import { operation } from '../../operation/operation.ts'
import { approvalRequestWire } from './approval-request-wire.ts'
import { findRequest } from './find-request.ts'
import { editRequest, requestPatch } from './steps/edit-request.ts'

export const patchApprovalRequest = operation({
  id: 'patchApprovalRequest',
  summary: 'Name more reviewers of an approval request, or describe it anew',
  method: 'PATCH',
  path: '/api/v2/approval-requests/{id}',
  beta: 'tagged',
  body: requestPatch,
  success: { status: 200, body: approvalRequestWire },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: { open: true, why: 'its project is known only once it is found; who may not view that finds nothing' },
  handle: async (context, { params, body }) => editRequest(context, await findRequest(context, params), body),
})
