import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { oauthClients } from './oauth-client.ts'
import { oauthClientSettings, oauthClientWire, presentOAuthClient } from './oauth-client-wire.ts'

export const patchOAuthClient = patchOperation(oauthClients, {
  id: 'patchOAuthClient',
  summary: 'Update the name, the description or the redirect URI of an OAuth 2.0 client',
  path: '/api/v2/oauth/clients/{clientId}',
  shows: { action: 'viewOAuthClient', resource: 'oauth-client/{clientId}' },
  settings: oauthClientSettings,
  paths: ['/name', '/description', '/redirectUri'],
  // The specification lists no conflict here. A 409 remains when a call loses a race or when `If-Match` is stale (D11).
  whenTestFails: 'invalid_request',
  response: oauthClientWire,
  serialize: presentOAuthClient,
})
