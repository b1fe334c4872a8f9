import { operation } from '../../operation/operation.ts'
import { environments, newMobileKey } from './environment.ts'
import { environmentWire, presentEnvironment } from './environment-wire.ts'

export const resetMobileKey = operation({
  id: 'resetMobileKey',
  summary: 'Replace the key of mobile SDKs; the old one stops working at once',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/mobileKey',
  success: { status: 200, body: environmentWire },
  errors: ['not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateMobileKey',
    resource: 'proj/{projectKey}:env/{environmentKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params }) {
    const before = (await context.tx.get(environments, params)) ?? context.fail('not_found')
    const after = context.tx.replace(environments, params, before, { ...before, mobileKey: newMobileKey(context.host) })
    return presentEnvironment(context, params.projectKey, after)
  },
})
