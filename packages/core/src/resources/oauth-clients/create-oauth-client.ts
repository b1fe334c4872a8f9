import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { oauthClients } from './oauth-client.ts'
import { oauthClientResponse, oauthClientSettings, serializeOAuthClient } from './oauth-client-response.ts'

const { name, description, redirectUri } = oauthClientSettings.entries

// Not defined by `createOperation`, because the response contains a secret that the document does not.
export const createOAuthClient = operation({
  id: 'createOAuthClient',
  undo: [undoOf(oauthClients, {})],
  summary: 'Create an OAuth 2.0 client; only this response contains its secret',
  method: 'POST',
  path: '/api/v2/oauth/clients',
  body: jsonBody(v.strictObject({ name, description: v.optional(description, ''), redirectUri })),
  success: { status: 201, body: oauthClientResponse },
  errors: ['invalid_request'],
  access: { action: 'createOAuthClient', resource: 'oauth-client/*' },
  async handle(context, { body }) {
    const { tx } = context
    const host = context.useHost()
    const now = context.readClock()
    const id = host.newId()
    const secret = host.randomHex(32)
    const client = tx.insert(
      oauthClients,
      { clientId: id },
      { ...body, id, secretHash: await host.sha256(secret), createdAt: now },
    )
    context.setRevision(client.version)
    return { ...serializeOAuthClient(context, client), _clientSecret: secret }
  },
})
