import { operation } from '../../../operation/operation.ts'
import { expiringUserTargetsResponse } from './expiring-flag-target-schema.ts'
import { datesOfUser, serializeDatesOfUser } from './expiring-flags-of-user.ts'

export const getExpiringFlagsForUser = operation({
  id: 'getExpiringFlagsForUser',
  summary: 'List the expiry dates of a user among the targets of all flags in an environment, the nearest first',
  method: 'GET',
  path: '/api/v2/users/{projectKey}/{userKey}/expiring-user-targets/{environmentKey}',
  freeParams: ['userKey'],
  success: { status: 200, body: expiringUserTargetsResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const dates = (await datesOfUser(context, params)) ?? context.fail('not_found')
    return serializeDatesOfUser(context, params, dates)
  },
})
