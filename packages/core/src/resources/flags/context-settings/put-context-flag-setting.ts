import * as v from 'valibot'
import { jsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { bypassQuery } from '../../environments/approval-bypass-query.ts'
import { putSetting, settingErrors, settingRequest } from './context-setting.ts'

export const putContextFlagSetting = operation({
  id: 'putContextFlagSetting',
  summary: 'Set the value that a flag has for a context, which becomes an individual target; null removes the setting',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/contexts/{contextKind}/{contextKey}/flags/{flagKey}',
  freeParams: ['contextKind', 'contextKey'],
  query: v.object(bypassQuery),
  body: jsonBody(settingRequest()),
  success: { status: 204 },
  errors: settingErrors,
  access: { action: 'updateTargets', resource: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}' },
  handle: (context, { params, body }) => putSetting(context, params, params, body),
})
