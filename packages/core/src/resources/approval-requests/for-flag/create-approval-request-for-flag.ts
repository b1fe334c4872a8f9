import { jsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { requestBody } from '../approval-request-body.ts'
import { approvalRequestResponse } from '../approval-request-response.ts'
import { flagRef } from '../find-request.ts'
import { createRequest } from '../steps/create-request.ts'

export const createApprovalRequestForFlag = operation({
  id: 'createApprovalRequestForFlag',
  summary: 'Create an approval request for a change of a flag in an environment',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests',
  body: jsonBody(requestBody),
  success: { status: 201, body: approvalRequestResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createApprovalRequest',
    resource: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  handle: (context, { params, body }) => createRequest(context, flagRef(params), body),
})
