import * as v from 'valibot'
import { oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import { oauthGrants, oauthTokens } from '../../models/oauth-grants/oauth-grant.ts'
import { codeText } from '../../models/oauth-grants/token-text.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { list } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { isSameRedirectUri } from '../../rules/redirect-uri.ts'
import { ownLimits } from '../tokens/ceiling.ts'
import { challengeHash } from './code-challenge.ts'
import { oauthGrantResponse, serializeOAuthGrant } from './oauth-grant-response.ts'
import { requireScopes } from './require-scopes.ts'

/** Validity of an authorization code, ms. RFC 6749, 4.1.2 allows 10 minutes; clients exchange it immediately. */
const codeMs = 60_000

export const createOAuthGrant = operation({
  id: 'createOAuthGrant',
  undo: [undoOf(oauthGrants, {})],
  summary:
    'Allow an OAuth 2.0 client to act for the calling member; only this response contains the authorization code',
  method: 'POST',
  path: '/api/v2/oauth/clients/{clientId}/grants',
  body: jsonBody(
    v.strictObject({
      redirectUri: v.string(),
      scopes: v.pipe(
        list(v.string()),
        v.minLength(1, 'must contain at least 1 item'),
        v.maxLength(100, 'must contain at most 100 items'),
      ),
      codeChallenge: v.pipe(
        v.string(),
        v.check(
          (text) => challengeHash(text) !== undefined,
          'must be the SHA-256 of a code verifier in base64url (RFC 7636)',
        ),
      ),
    }),
  ),
  success: { status: 201, body: oauthGrantResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'a member allows it for themselves; the handler checks the right',
    demands: ['createAccessToken'],
  },
  async handle(context, { params, body }) {
    const { tx, caller } = context
    const { memberId } = caller
    if (memberId === undefined)
      return context.fail('forbidden', { explanation: 'only a member can allow a client to act for them' })
    const client = (await tx.get(oauthClients, params)) ?? context.fail('not_found')
    if (!isSameRedirectUri(client.redirectUri, body.redirectUri))
      context.fail('invalid_request', {
        errors: [{ attribute: 'redirectUri', reason: 'must be the redirect URI of the client' }],
      })
    const host = context.useHost()
    const now = context.readClock()
    const id = host.newId()
    const scopes = [...new Set(body.scopes)]
    const grant = {
      id,
      name: client.name,
      clientId: client.id,
      memberId,
      scopes,
      limits: ownLimits(caller),
      createdAt: now,
    }
    // The tokens of the client are personal tokens of the member.
    await context.demand('createAccessToken', oauthGrants, { grantId: id }, { ...grant, id: '*', version: 0 })
    await requireScopes(context, 'scopes', scopes)
    const secret = host.randomHex(32)
    const inserted = tx.insert(oauthGrants, { grantId: id }, grant)
    tx.describe(oauthGrants, { grantId: id }, [({ it }) => `granted ${it} access with the scope ${scopes.join(' ')}`])
    tx.ensure(
      oauthTokens,
      { id },
      {
        id,
        clientId: client.id,
        code: {
          hash: await host.sha256(secret),
          challenge: challengeHash(body.codeChallenge) ?? '',
          redirectUri: body.redirectUri,
          used: false,
        },
        access: [],
        expiresAt: now + codeMs,
      },
    )
    return { ...serializeOAuthGrant(context, inserted), code: codeText({ id, secret }) }
  },
})
