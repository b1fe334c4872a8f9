import { jsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { requestBody } from '../approval-request-body-wire.ts'
import { approvalRequestWire } from '../approval-request-wire.ts'
import { flagPlace } from '../find-request.ts'
import { makeRequest } from '../steps/make-request.ts'

export const createApprovalRequestForFlag = operation({
  id: 'createApprovalRequestForFlag',
  summary: 'Create an approval request for a change of a flag in an environment',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/flags/{featureFlagKey}/environments/{environmentKey}/approval-requests',
  body: jsonBody(requestBody),
  success: { status: 201, body: approvalRequestWire },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createApprovalRequest',
    resource: 'proj/{projectKey}:env/{environmentKey}:flag/{featureFlagKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  handle: (context, { params, body }) => makeRequest(context, flagPlace(params), body),
})
