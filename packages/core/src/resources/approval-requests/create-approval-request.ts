import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { requestBody } from './approval-request-body-wire.ts'
import { approvalRequestWire } from './approval-request-wire.ts'
import { resourceId } from './resource-id-wire.ts'
import { makeRequest } from './steps/make-request.ts'

export const createApprovalRequest = operation({
  id: 'createApprovalRequest',
  summary: 'Create an approval request for a change of a flag or segment in an environment',
  method: 'POST',
  path: '/api/v2/approval-requests',
  body: jsonBody(v.strictObject({ ...requestBody.entries, resourceId: resourceId() })),
  success: { status: 201, body: approvalRequestWire },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: { open: true, why: 'the body names the resource, so permissions are checked once the body is parsed' },
  handle: (context, { body }) => makeRequest(context, body.resourceId, body),
})
