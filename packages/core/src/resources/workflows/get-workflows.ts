import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { workflowStatuses, workflows } from '../../models/workflows/workflow.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page, sort } from '../../operation/schema.ts'
import { serializeWorkflow, workflowResponse } from './workflow-response.ts'

const query = v.object({
  ...page(),
  status: v.optional(v.picklist(workflowStatuses, `must be one of ${workflowStatuses.join(', ')}`)),
  sort: sort(
    {
      creationDate: { field: 'createdAt', type: 'number' },
      stopDate: { field: 'stoppedAt', type: 'number' },
    },
    '-creationDate',
  ),
})

export const getWorkflows = operation({
  id: 'getWorkflows',
  summary: 'List the workflows of a flag in an environment, newest first',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/workflows',
  query,
  success: { status: 200, body: collection(workflowResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const { limit, offset, status } = query
    const where = status === undefined ? [] : [{ op: 'equals', field: 'status', value: status } as const]
    const [flag, environment, { items, total }] = await Promise.all([
      tx.get(flags, params),
      tx.get(environments, params),
      tx.list(workflows, params, { where, order: [query.sort], limit, offset }),
    ])
    if (!flag || !environment) fail('not_found')
    return {
      items: await Promise.all(items.map((workflow) => serializeWorkflow(context, workflow, params))),
      totalCount: total,
      _links: pageLinks(context.url, query, total),
    }
  },
})
