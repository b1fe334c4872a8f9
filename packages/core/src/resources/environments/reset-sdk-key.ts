import { operation } from '../../operation/operation.ts'
import { newSdkKey } from './environment.ts'
import { environmentWire } from './environment-wire.ts'
import { replaceKey } from './replace-key.ts'

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
  handle: (context, { params }) => replaceKey(context, params, { apiKey: newSdkKey(context.host) }),
})
