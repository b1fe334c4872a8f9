import { operation } from '../../operation/operation.ts'
import { environments, newSdkKey } from './environment.ts'
import { environmentWire, presentEnvironment } from './environment-wire.ts'

export const resetSdkKey = operation({
  id: 'resetSdkKey',
  summary: 'Replace the key of server-side SDKs; the old one stops working at once',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/apiKey',
  success: { status: 200, body: environmentWire },
  errors: ['not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateApiKey',
    resource: 'proj/{projectKey}:env/{environmentKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params }) {
    const before = (await context.tx.get(environments, params)) ?? context.fail('not_found')
    const after = context.tx.replace(environments, params, before, { ...before, apiKey: newSdkKey(context.host) })
    return presentEnvironment(context, params.projectKey, after)
  },
})
