import * as v from 'valibot'
import { jsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import { bypassQuery } from '../../environments/approval-bypass-query.ts'
import { putSetting, settingErrors, settingRequest } from './context-setting.ts'

export const putFlagSetting = operation({
  id: 'putFlagSetting',
  summary: 'Set the value that a flag has for a user, who becomes an individual target; null removes the setting',
  method: 'PUT',
  path: '/api/v2/users/{projectKey}/{environmentKey}/{userKey}/flags/{flagKey}',
  freeParams: ['userKey'],
  query: v.object(bypassQuery),
  body: jsonBody(settingRequest()),
  success: { status: 204 },
  errors: settingErrors,
  access: { action: 'updateTargets', resource: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}' },
  handle: (context, { params, body }) =>
    putSetting(context, params, { contextKind: userKind, contextKey: params.userKey }, body),
})
