import {
  type ApprovalSettings,
  defaultApprovalSettings,
  ownSettings,
  withSettings,
} from '../../../models/environments/approval-settings.ts'
import { environments } from '../../../models/environments/environment.ts'
import { jsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { serializeSettings, settingsRequest, settingsResponse } from './approval-settings-schema.ts'

export const patchApprovalRequestSettings = operation({
  id: 'patchApprovalRequestSettings',
  summary: 'Update the approval settings of an environment for a kind of resource',
  method: 'PATCH',
  path: '/api/v2/approval-requests/projects/{projectKey}/settings',
  beta: 'declared',
  body: jsonBody(settingsRequest),
  success: { status: 200, body: settingsResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateApprovalSettings',
    resource: 'proj/{projectKey}:env/{body.environmentKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params: { projectKey }, body }) {
    const { environmentKey, resourceKind, ...changes } = body
    const keys = { projectKey, environmentKey }
    const before = (await context.tx.get(environments, keys)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    const changedEntries = Object.entries(changes).filter(([, value]) => value !== undefined)
    const kindSettings = ownSettings(before, resourceKind) ?? defaultApprovalSettings
    const settings: ApprovalSettings = { ...kindSettings, ...Object.fromEntries(changedEntries) }
    const after = context.tx.replace(environments, keys, before, withSettings(before, resourceKind, settings))
    context.setRevision(after.version)
    return serializeSettings(after, resourceKind)
  },
})
