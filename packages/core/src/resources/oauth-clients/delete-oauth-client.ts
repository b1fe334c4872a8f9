import { oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteOAuthClient = deleteOperation(oauthClients, {
  id: 'deleteOAuthClient',
  summary: 'Delete an OAuth 2.0 client',
  path: '/api/v2/oauth/clients/{clientId}',
  access: { action: 'deleteOAuthClient', resource: 'oauth-client/{clientId}' },
})
