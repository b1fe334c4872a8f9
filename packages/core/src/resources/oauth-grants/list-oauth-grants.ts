import { oauthGrants } from '../../models/oauth-grants/oauth-grant.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { oauthGrantResponse, serializeOAuthGrant } from './oauth-grant-response.ts'

export const listOAuthGrants = listOperation(oauthGrants, {
  id: 'listOAuthGrants',
  summary: 'List the OAuth 2.0 grants that the caller may view, newest first',
  path: '/api/v2/oauth/grants',
  access: { open: true, why: 'the list omits what the caller may not view' },
  select: () => ({ order: [{ field: 'createdAt', type: 'number', descending: true }] }),
  visible: 'viewToken',
  response: oauthGrantResponse,
  serialize: serializeOAuthGrant,
})
