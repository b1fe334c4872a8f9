import { oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { oauthClientResponse, serializeOAuthClient } from './oauth-client-response.ts'

export const listOAuthClients = listOperation(oauthClients, {
  id: 'listOAuthClients',
  summary: 'List the OAuth 2.0 clients that the caller may view, oldest first',
  path: '/api/v2/oauth/clients',
  access: { open: true, why: 'the list omits what the caller may not view' },
  visible: 'viewOAuthClient',
  select: () => ({ order: [{ field: 'createdAt', type: 'number' }] }),
  response: oauthClientResponse,
  serialize: serializeOAuthClient,
})
