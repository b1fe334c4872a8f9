import * as v from 'valibot'
import { operation } from '../../../operation/operation.ts'
import { approvalRequestResponse, expandQuery } from '../approval-request-response.ts'
import { findFlagRequest } from '../find-request.ts'
import { serializeSingleRequest } from '../serialize-requests.ts'

export const getApprovalRequestForFlag = operation({
  id: 'getApprovalRequestForFlag',
  summary: 'Get an approval request of a flag, with its conflicts',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests/{id}',
  query: v.object(expandQuery),
  success: { status: 200, body: approvalRequestResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const request = await findFlagRequest(context, params)
    context.setRevision(request.version)
    return serializeSingleRequest(context, request, query.expand)
  },
})
