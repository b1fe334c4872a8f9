import { environments } from '../../../models/environments/environment.ts'
import { projects } from '../../../models/projects/project.ts'
import { linkTo } from '../../../operation/link.ts'
import { operation } from '../../../operation/operation.ts'
import { collection } from '../../../operation/schema.ts'
import { mostEnvironments } from '../../environments/present-environments.ts'
import { presentSettings, settingsQuery, settingsWire } from './approval-settings-wire.ts'

export const getApprovalRequestSettings = operation({
  id: 'getApprovalRequestSettings',
  summary: 'List the approval settings of the environments of a project for a kind of resource',
  method: 'GET',
  path: '/api/v2/approval-requests/projects/{projectKey}/settings',
  beta: 'declared',
  query: settingsQuery,
  success: { status: 200, body: collection(settingsWire) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query: { environmentKey, resourceKind } }) {
    const { tx } = context
    const [project, found] = await Promise.all([
      tx.get(projects, params),
      tx.list(environments, params, {
        where: environmentKey === undefined ? [] : [{ op: 'equals', field: 'key', value: environmentKey }],
        limit: mostEnvironments,
      }),
    ])
    if (!project) context.fail('not_found')
    return {
      items: found.items.map((one) => presentSettings(one, resourceKind)),
      totalCount: found.total,
      _links: { self: linkTo(context.url) },
    }
  },
})
