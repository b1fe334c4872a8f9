import { oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { oauthClientResponse, serializeOAuthClient } from './oauth-client-response.ts'

export const getOAuthClient = getOperation(oauthClients, {
  id: 'getOAuthClient',
  summary: 'Get an OAuth 2.0 client',
  path: '/api/v2/oauth/clients/{clientId}',
  access: { action: 'viewOAuthClient', resource: 'oauth-client/{clientId}' },
  response: oauthClientResponse,
  serialize: serializeOAuthClient,
})
