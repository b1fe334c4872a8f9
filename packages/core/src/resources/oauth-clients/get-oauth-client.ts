import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { oauthClients } from './oauth-client.ts'
import { oauthClientWire, presentOAuthClient } from './oauth-client-wire.ts'

export const getOAuthClient = getOperation(oauthClients, {
  id: 'getOAuthClient',
  summary: 'Get an OAuth 2.0 client',
  path: '/api/v2/oauth/clients/{clientId}',
  access: { action: 'viewOAuthClient', resource: 'oauth-client/{clientId}' },
  response: oauthClientWire,
  serialize: presentOAuthClient,
})
