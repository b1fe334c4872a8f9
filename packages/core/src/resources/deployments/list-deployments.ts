import * as v from 'valibot'
import { type Deployment, deployments } from '../../models/deployments/deployment.ts'
import { stateOf } from '../../models/deployments/deployment-history.ts'
import { environments } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { cursorLinks, cursorPage, cursorQuery, requireOneDirection } from '../../operation/pages/cursor-page.ts'
import { collection, commaList, expand, key, moment } from '../../operation/schema.ts'
import type { Condition } from '../../storage/port.ts'
import { deploymentKinds, deploymentResponse, deploymentStatuses, serializeDeployment } from './deployment-schema.ts'
import { activeDeployments } from './find-deployment.ts'

const listQuery = v.object({
  projectKey: key(),
  environmentKey: key(),
  applicationKey: v.optional(commaList()),
  from: v.optional(moment()),
  to: v.optional(moment()),
  kind: v.optional(v.picklist(deploymentKinds, `must be one of ${deploymentKinds.join(', ')}`)),
  status: v.optional(v.picklist(deploymentStatuses, `must be one of ${deploymentStatuses.join(', ')}`)),
  expand: expand('pullRequests'),
  ...cursorQuery,
})

type ListQuery = v.InferOutput<typeof listQuery>

const edgeOf = ({ id, history }: Deployment) => ({ at: stateOf(history).startedAt, key: id })

export const listDeployments = operation({
  id: 'listDeployments',
  summary: 'List the deployments of an environment, newest first',
  method: 'GET',
  path: '/api/v2/engineering-insights/deployments',
  beta: 'tagged',
  query: v.pipe(listQuery, requireOneDirection<ListQuery>()),
  success: { status: 200, body: collection(deploymentResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const { tx } = context
    if (!(await tx.get(environments, query))) context.fail('not_found')
    const conditions = conditionsOf(query)
    const [page, { total }] = await Promise.all([
      cursorPage(
        tx,
        { collection: deployments, scope: query, where: conditions, field: 'startedAt', cursorOf: edgeOf },
        query,
      ),
      tx.listRows(deployments, query, { where: conditions, limit: 0 }),
    ])
    const active = await activeDeployments(
      tx,
      query,
      page.items.map((deployment) => deployment.applicationKey),
    )
    return {
      items: page.items.map((deployment) =>
        serializeDeployment(context, deployment, { ...query, active: active.has(deployment.id) }),
      ),
      totalCount: total,
      _links: cursorLinks(context.url, query, page, edgeOf),
    }
  },
})

function conditionsOf({ applicationKey, from, to, kind, status }: ListQuery): Condition[] {
  const conditions: Condition[] = []
  if (applicationKey?.length) conditions.push({ op: 'anyOf', field: 'applicationKey', values: applicationKey })
  if (kind) conditions.push({ op: 'equals', field: 'kind', value: kind })
  if (status) conditions.push({ op: 'equals', field: 'status', value: status })
  if (from !== undefined || to !== undefined) conditions.push({ op: 'range', field: 'startedAt', from, to })
  return conditions
}
