import { oauthGrants } from '../../models/oauth-grants/oauth-grant.ts'
import { operation } from '../../operation/operation.ts'
import { oauthGrantResponse, serializeOAuthGrant } from './oauth-grant-response.ts'

export const getOAuthGrant = operation({
  id: 'getOAuthGrant',
  summary: 'Get an OAuth 2.0 grant: the permission of a member for a client to act on their behalf',
  method: 'GET',
  path: '/api/v2/oauth/grants/{grantId}',
  success: { status: 200, body: oauthGrantResponse },
  errors: ['not_found'],
  access: { open: true, why: 'the resource of a grant depends on its member; the handler checks the right' },
  async handle(context, { params }) {
    const grant = (await context.tx.get(oauthGrants, params)) ?? context.fail('not_found')
    // The error is `not_found` and not `forbidden`, so that a caller cannot find out which ids exist.
    if (!(await context.allowed('viewToken', oauthGrants, params, grant))) return context.fail('not_found')
    context.setRevision(grant.version)
    return serializeOAuthGrant(context, grant)
  },
})
