import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { oauthClients } from './oauth-client.ts'
import { oauthClientSettings, oauthClientWire, presentOAuthClient } from './oauth-client-wire.ts'

export const patchOAuthClient = patchOperation(oauthClients, {
  id: 'patchOAuthClient',
  summary: 'Change the name, the description or the redirect URI of an OAuth 2.0 client',
  path: '/api/v2/oauth/clients/{clientId}',
  shows: { action: 'viewOAuthClient', resource: 'oauth-client/{clientId}' },
  settings: oauthClientSettings,
  paths: ['/name', '/description', '/redirectUri'],
  // spec.md lists no conflict here; one is left where a call loses a race or `If-Match` asks for it (D11).
  whenTestFails: 'invalid_request',
  response: oauthClientWire,
  serialize: presentOAuthClient,
})
