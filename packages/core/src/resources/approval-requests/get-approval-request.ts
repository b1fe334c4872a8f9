import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { approvalRequestResponse, expandQuery } from './approval-request-response.ts'
import { findRequest } from './find-request.ts'
import { serializeSingleRequest } from './serialize-requests.ts'

export const getApprovalRequest = operation({
  id: 'getApprovalRequest',
  summary: 'Get an approval request, with its conflicts',
  method: 'GET',
  path: '/api/v2/approval-requests/{id}',
  query: v.object(expandQuery),
  success: { status: 200, body: approvalRequestResponse },
  errors: ['invalid_request', 'not_found'],
  access: {
    open: true,
    why: 'the project is known only once the resource is loaded; without viewProject the response is 404',
  },
  async handle(context, { params, query }) {
    const request = await findRequest(context, params)
    context.setRevision(request.version)
    return serializeSingleRequest(context, request, query.expand)
  },
})
