import * as v from 'valibot'
import { linkTo } from '../../../operation/link.ts'
import { operation } from '../../../operation/operation.ts'
import { links } from '../../../operation/schema.ts'
import { flagSettingResponse, userFlagSettings } from './user-flag-settings.ts'

export const getUserFlagSettings = operation({
  id: 'getUserFlagSettings',
  summary:
    'List the values of the flags of an environment for a user, and the values that were set for this user individually, by flag',
  method: 'GET',
  path: '/api/v2/users/{projectKey}/{environmentKey}/{userKey}/flags',
  freeParams: ['userKey'],
  success: {
    status: 200,
    body: v.object({ items: v.record(v.string(), flagSettingResponse), _links: links() }),
  },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const settings = await userFlagSettings(context, params)
    return { items: Object.fromEntries(settings), _links: { self: linkTo(context.url) } }
  },
})
