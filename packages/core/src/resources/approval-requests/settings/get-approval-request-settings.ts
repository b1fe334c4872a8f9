import { environments } from '../../../models/environments/environment.ts'
import { projects } from '../../../models/projects/project.ts'
import { linkTo } from '../../../operation/link.ts'
import { operation } from '../../../operation/operation.ts'
import { collection } from '../../../operation/schema.ts'
import { maxEnvironments } from '../../environments/environments-response.ts'
import { serializeSettings, settingsQuery, settingsResponse } from './approval-settings-schema.ts'

export const getApprovalRequestSettings = operation({
  id: 'getApprovalRequestSettings',
  summary: 'List the approval settings of the environments of a project for a kind of resource',
  method: 'GET',
  path: '/api/v2/approval-requests/projects/{projectKey}/settings',
  beta: 'declared',
  query: settingsQuery,
  success: { status: 200, body: collection(settingsResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query: { environmentKey, resourceKind } }) {
    const { tx } = context
    const [project, environmentPage] = await Promise.all([
      tx.get(projects, params),
      tx.list(environments, params, {
        where: environmentKey === undefined ? [] : [{ op: 'equals', field: 'key', value: environmentKey }],
        limit: maxEnvironments,
      }),
    ])
    if (!project) context.fail('not_found')
    return {
      items: environmentPage.items.map((environment) => serializeSettings(environment, resourceKind)),
      totalCount: environmentPage.total,
      _links: { self: linkTo(context.url) },
    }
  },
})
