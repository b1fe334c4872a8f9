import { oauthGrants } from '../../models/oauth-grants/oauth-grant.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { removeGrant } from './remove-grant.ts'
import { requireGrant } from './require-grant.ts'

export const deleteOAuthGrant = operation({
  id: 'deleteOAuthGrant',
  undo: [
    undoOf(oauthGrants, {
      async remove(context, keys, grant) {
        await context.demand('deleteAccessToken', oauthGrants, keys, grant)
        removeGrant(context.tx, grant)
      },
    }),
  ],
  summary: 'Delete an OAuth 2.0 grant; all tokens that were issued for it stop working immediately',
  method: 'DELETE',
  path: '/api/v2/oauth/grants/{grantId}',
  success: { status: 204 },
  errors: ['forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the resource of a grant depends on its member; the handler checks the right',
    demands: ['deleteAccessToken'],
  },
  async handle(context, { params }) {
    const grant = await requireGrant(context, params, 'deleteAccessToken')
    context.requireRevision(grant.version)
    removeGrant(context.tx, grant)
  },
})
