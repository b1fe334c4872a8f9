import * as v from 'valibot'
import { withNewSdkKey } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { moment } from '../../operation/schema.ts'
import { environmentResponse } from './environment-schema.ts'
import { replaceKey } from './replace-key.ts'

export const resetSdkKey = operation({
  id: 'resetSdkKey',
  summary: 'Reset the server-side SDK key; the old key stays valid until `expiry`, or becomes invalid immediately',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/apiKey',
  query: v.object({ expiry: v.optional(moment()) }),
  success: { status: 200, body: environmentResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateApiKey',
    resource: 'proj/{projectKey}:env/{environmentKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  handle: (context, { params, query }) =>
    replaceKey(context, params, (before) =>
      withNewSdkKey(before, context.useHost(), { now: context.readClock(), until: query.expiry }),
    ),
})
