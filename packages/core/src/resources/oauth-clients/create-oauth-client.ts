import * as v from 'valibot'
import { oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { list } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { requireScopes } from '../oauth-grants/require-scopes.ts'
import { mandateOf } from '../tokens/mandate.ts'
import { oauthClientResponse, oauthClientSettings, serializeOAuthClient } from './oauth-client-response.ts'

const { name, description, redirectUri } = oauthClientSettings.entries

// Not defined by `createOperation`, because the response contains a secret that the document does not.
export const createOAuthClient = operation({
  id: 'createOAuthClient',
  undo: [undoOf(oauthClients, {})],
  summary: 'Create an OAuth 2.0 client; only this response contains its secret',
  method: 'POST',
  path: '/api/v2/oauth/clients',
  body: jsonBody(
    v.strictObject({
      name,
      description: v.optional(description, ''),
      redirectUri,
      public: v.optional(v.boolean(), false),
      scopes: v.optional(v.pipe(list(v.string()), v.maxLength(100, 'must contain at most 100 items')), []),
    }),
  ),
  success: { status: 201, body: oauthClientResponse },
  errors: ['invalid_request'],
  access: { action: 'createOAuthClient', resource: 'oauth-client/*' },
  async handle(context, { body: { public: isPublic, scopes, ...settings } }) {
    const { tx } = context
    if (isPublic && scopes.length > 0) {
      const reason = 'must be empty for a public client, because only a client with a secret can get tokens of its own'
      context.fail('invalid_request', { errors: [{ attribute: 'scopes', reason }] })
    }
    await requireScopes(context, 'scopes', scopes)
    const host = context.useHost()
    const now = context.readClock()
    const id = host.newId()
    const secret = host.randomHex(32)
    const client = tx.insert(
      oauthClients,
      { clientId: id },
      {
        ...settings,
        id,
        secretHash: isPublic ? '' : await host.sha256(secret),
        ...(isPublic ? { public: true } : {}),
        ...(scopes.length > 0
          ? { clientCredentials: { scopes: [...new Set(scopes)], mandate: mandateOf(context.caller) } }
          : {}),
        createdAt: now,
      },
    )
    context.setRevision(client.version)
    return { ...serializeOAuthClient(context, client), ...(isPublic ? {} : { _clientSecret: secret }) }
  },
})
