import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { operation } from '../../../operation/operation.ts'
import { collection } from '../../../operation/schema.ts'
import { approvalRequestResponse } from '../approval-request-response.ts'
import { listFlagRequests, listQuery } from '../lists/list-requests.ts'

export const listApprovalRequestsForFlag = operation({
  id: 'listApprovalRequestsForFlag',
  summary: 'List the approval requests of a flag in an environment, newest first',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/approval-requests',
  query: listQuery,
  success: { status: 200, body: collection(approvalRequestResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx } = context
    const flagKeys = { projectKey: params.projectKey, flagKey: params.flagKey }
    const documents = await Promise.all([tx.get(flags, flagKeys), tx.get(environments, params)])
    if (documents.includes(undefined)) context.fail('not_found')
    return listFlagRequests(context, params, query)
  },
})
