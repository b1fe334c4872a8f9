import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { requestBody } from './approval-request-body.ts'
import { approvalRequestResponse } from './approval-request-response.ts'
import { resourceId } from './resource-id.ts'
import { createRequest } from './steps/create-request.ts'

export const createApprovalRequest = operation({
  id: 'createApprovalRequest',
  summary:
    'Create an approval request for a change of a flag, segment or AI config, or for a list of changes in a project',
  method: 'POST',
  path: '/api/v2/approval-requests',
  body: jsonBody(v.strictObject({ ...requestBody.entries, resourceId: resourceId() })),
  success: { status: 201, body: approvalRequestResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the body names the resource, so permissions are checked once the body is parsed',
    demands: ['createApprovalRequest'],
  },
  combines: 'sometimes',
  handle: (context, { body }) => createRequest(context, body.resourceId, body),
})
