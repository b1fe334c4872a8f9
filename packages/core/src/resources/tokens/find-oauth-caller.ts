import { type OAuthClient, oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import {
  type OAuthAccessToken,
  type OAuthGrant,
  type OAuthTokens,
  oauthGrants,
  oauthTokens,
} from '../../models/oauth-grants/oauth-grant.ts'
import { grantOfScopes } from '../../models/oauth-grants/scope.ts'
import { parseAccessToken, type TokenText } from '../../models/oauth-grants/token-text.ts'
import type { Caller, Grant } from '../../operation/caller.ts'
import type { Host } from '../../operation/context.ts'
import type { TokenIdentity } from '../../operation/identity.ts'
import { StorageReader } from '../../storage/reader.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { baseRoles } from '../policy.ts'
import { type Bearer, loadCaller } from './bearer.ts'

/** The caller of an OAuth access token, its client, and the token as it is stored. */
export interface OAuthIdentity extends TokenIdentity {
  readonly clientId: string
  readonly token: OAuthAccessToken
}

/**
 * No OAuth client may make or reset a credential, whatever its scope, because the credential would remain valid when
 * the grant or the client is deleted (docs/decisions/0056-authorize-oauth-clients-with-our-own-server.md).
 */
const withoutCredentials: Grant = {
  statements: [
    ...baseRoles.admin,
    {
      effect: 'deny',
      resources: ['member/*:token/*', 'service-token/*'],
      actions: ['createAccessToken', 'resetAccessToken', 'updateAccessTokenPolicy'],
    },
    { effect: 'deny', resources: ['oauth-client/*'], actions: ['createOAuthClient', 'updateOAuthClient'] },
  ],
}

/**
 * Finds the caller of an OAuth access token. Its client, its grant and its member must still exist. The caller may do
 * what the scopes of the token, the limits of the grant, and the current rights of the member all allow.
 *
 * @returns undefined for a text that is not such a token; a promise of undefined for a token that is unknown or has
 *   ended.
 */
export function findOAuthCaller(
  reads: StorageReads,
  host: Host,
  token: string,
): Promise<OAuthIdentity | undefined> | undefined {
  const text = parseAccessToken(token)
  return text && find(reads, host, text)
}

async function find(reads: StorageReads, host: Host, { id, secret }: TokenText): Promise<OAuthIdentity | undefined> {
  const hash = await host.sha256(secret)
  const reader = new StorageReader(reads)
  const [stored, grant] = await Promise.all([reader.get(oauthTokens, { id }), reader.get(oauthGrants, { grantId: id })])
  const token = stored?.access.find((each) => each.hash === hash)
  const client = stored && (await reader.get(oauthClients, { clientId: stored.clientId }))
  const bearer = token && client && bearerOf(stored, token, client, grant)
  const caller: Caller | undefined = bearer && (await loadCaller(reads, bearer))
  return caller && token && client && { caller, expiresAt: token.expiresAt, clientId: client.id, token }
}

function bearerOf(
  { id, code }: OAuthTokens,
  token: OAuthAccessToken,
  { id: clientId, clientCredentials }: OAuthClient,
  grant: OAuthGrant | undefined,
): Bearer | undefined {
  if (code) {
    if (!grant) return undefined
    const { memberId, limits, scopes } = grant
    const grants = [...limitsOf(token, scopes), ...limits]
    return { id: `oauth-grant/${id}`, tokenId: undefined, memberId, personal: true, grants }
  }
  if (!clientCredentials) return undefined
  const { mandate, scopes } = clientCredentials
  const grants = [...limitsOf(token, scopes), ...mandate.grants]
  const { memberId, personal } = mandate
  return { id: `oauth-client/${clientId}`, tokenId: undefined, memberId, personal, grants }
}

/**
 * Returns the grants that limit a caller to the scopes of its token.
 *
 * @param granted scopes that still apply; those of roles that were deleted since the token was issued are missing.
 */
function limitsOf({ scopes }: OAuthAccessToken, granted: readonly string[]): readonly Grant[] {
  return [withoutCredentials, grantOfScopes(scopes.filter((scope) => granted.includes(scope)))]
}
