import { oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { oauthClientResponse, oauthClientSettings, serializeOAuthClient } from './oauth-client-response.ts'

export const patchOAuthClient = patchOperation(oauthClients, {
  id: 'patchOAuthClient',
  summary: 'Update the name, the description or the redirect URI of an OAuth 2.0 client',
  path: '/api/v2/oauth/clients/{clientId}',
  shows: { action: 'viewOAuthClient', resource: 'oauth-client/{clientId}' },
  settings: oauthClientSettings,
  paths: ['/name', '/description', '/redirectUri'],
  // The specification lists no conflict here. A 409 remains when a call loses a race or when `If-Match` is stale
  // (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
  whenTestFails: 'invalid_request',
  response: oauthClientResponse,
  serialize: serializeOAuthClient,
})
