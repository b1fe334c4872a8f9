import { newMobileKey } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { environmentResponse } from './environment-schema.ts'
import { replaceKey } from './replace-key.ts'

export const resetMobileKey = operation({
  id: 'resetMobileKey',
  summary: 'Reset the mobile SDK key; the old key becomes invalid immediately',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/mobileKey',
  success: { status: 200, body: environmentResponse },
  errors: ['not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateMobileKey',
    resource: 'proj/{projectKey}:env/{environmentKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  handle: (context, { params }) =>
    replaceKey(context, params, (before) => ({ ...before, mobileKey: newMobileKey(context.useHost()) })),
})
