import { operation } from '../../operation/operation.ts'
import { collection } from '../../operation/schema.ts'
import { approvalRequestResponse } from './approval-request-response.ts'
import { listAllRequests, listQuery } from './lists/list-requests.ts'

export const listApprovalRequests = operation({
  id: 'listApprovalRequests',
  summary: 'List the approval requests in the projects that the caller may view, newest first',
  method: 'GET',
  path: '/api/v2/approval-requests',
  query: listQuery,
  success: { status: 200, body: collection(approvalRequestResponse) },
  errors: ['invalid_request'],
  access: { open: true, why: 'the list omits the projects that the caller may not view' },
  handle: (context, { query }) => listAllRequests(context, query),
})
