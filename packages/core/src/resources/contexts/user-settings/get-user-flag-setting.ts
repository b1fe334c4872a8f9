import { operation } from '../../../operation/operation.ts'
import { flagSettingResponse, userFlagSettings } from './user-flag-settings.ts'

export const getUserFlagSetting = operation({
  id: 'getUserFlagSetting',
  summary: 'Get the value of a flag for a user, and the value that was set for this user individually',
  method: 'GET',
  path: '/api/v2/users/{projectKey}/{environmentKey}/{userKey}/flags/{flagKey}',
  freeParams: ['userKey'],
  success: { status: 200, body: flagSettingResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    return (await userFlagSettings(context, params)).get(params.flagKey) ?? context.fail('not_found')
  },
})
