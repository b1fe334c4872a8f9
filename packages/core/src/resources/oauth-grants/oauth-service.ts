import type { OAuthClient } from '../../models/oauth-clients/oauth-client.ts'
import { parseRefreshToken } from '../../models/oauth-grants/token-text.ts'
import { isSameRedirectUri } from '../../rules/redirect-uri.ts'
import { findOAuthCaller } from '../tokens/find-oauth-caller.ts'
import { authenticateClient, findClient } from './authenticate-client.ts'
import { issueOAuthTokens } from './issue-oauth-tokens.ts'
import { type OAuthParts, readGrant, readTokens } from './oauth-parts.ts'
import {
  isOAuthRefusal,
  type OAuthClientDescription,
  type OAuthClientProof,
  type OAuthIssuedTokens,
  type OAuthRefusal,
  type OAuthTokenDescription,
  type OAuthTokenRequest,
} from './oauth-protocol.ts'
import { revokeOAuthToken } from './revoke-oauth-token.ts'

/**
 * The steps of the OAuth protocol that change or read stored tokens. An authorization server calls this service; the
 * operation `createOAuthGrant` issues the codes. Expected refusals are returned as values. A call rejects for an error
 * of the storage, and with `ApiError` `rate_limited` when a client has used up its quota.
 */
export interface OAuthService {
  /**
   * Returns the client of an authorization request; undefined when the client does not exist or has not registered the
   * redirect URI.
   */
  findClient(clientId: string, redirectUri: string): Promise<OAuthClientDescription | undefined>
  /** Authenticates a client and issues tokens. A code or refresh token that is used twice ends its grant. */
  issueTokens(client: OAuthClientProof, request: OAuthTokenRequest): Promise<OAuthIssuedTokens | OAuthRefusal>
  /** Authenticates a client and revokes one of its tokens. */
  revokeToken(client: OAuthClientProof, token: string): Promise<OAuthRefusal | undefined>
  /**
   * Authenticates a client that has a secret, and describes one of its tokens; undefined for a token that is not valid
   * or belongs to another client.
   */
  introspect(client: OAuthClientProof, token: string): Promise<OAuthTokenDescription | OAuthRefusal | undefined>
}

/** Makes the OAuth service of an engine. */
export function oauthService(parts: OAuthParts): OAuthService {
  return {
    async findClient(clientId, redirectUri) {
      const client = await findClient(parts, clientId)
      if (!client || !isSameRedirectUri(client.redirectUri, redirectUri)) return undefined
      const { name, description } = client
      return { clientId, name, description }
    },
    async issueTokens(proof, request) {
      const client = await authenticateClient(parts, proof, 'token')
      return isOAuthRefusal(client) ? client : issueOAuthTokens(parts, client, request)
    },
    async revokeToken(proof, token) {
      const client = await authenticateClient(parts, proof, 'revoke')
      return isOAuthRefusal(client) ? client : revokeOAuthToken(parts, client, token)
    },
    introspect: (proof, token) => introspect(parts, proof, token),
  }
}

async function introspect(
  parts: OAuthParts,
  proof: OAuthClientProof,
  token: string,
): Promise<OAuthTokenDescription | OAuthRefusal | undefined> {
  const client = await authenticateClient(parts, proof, 'introspect')
  if (isOAuthRefusal(client)) return client
  // Anyone can name a public client, so it could be used to test stolen tokens (RFC 7662, 2.1).
  if (client.public) return { error: 'invalid_client', description: 'The client must have a secret.' }
  const { storage, host } = parts
  if (parseRefreshToken(token)) return describeRefreshToken(parts, client, token)
  const caller = await findOAuthCaller(storage, host, token)
  if (!caller || caller.clientId !== client.id || caller.token.expiresAt <= host.now()) return undefined
  const { scopes, issuedAt, expiresAt } = caller.token
  return { clientId: client.id, scopes, subject: caller.caller.memberId ?? client.id, issuedAt, expiresAt }
}

async function describeRefreshToken(
  parts: OAuthParts,
  { id: clientId }: OAuthClient,
  token: string,
): Promise<OAuthTokenDescription | undefined> {
  const { host } = parts
  const text = parseRefreshToken(token)
  const stored = text && (await readTokens(parts, text.id))
  const grant = stored && (await readGrant(parts, stored.id))
  if (!grant || stored.clientId !== clientId || stored.expiresAt <= host.now()) return undefined
  if (stored.refresh?.hash !== (await host.sha256(text.secret))) return undefined
  const { scopes, memberId: subject, createdAt: issuedAt } = grant
  return { clientId, scopes, subject, issuedAt, expiresAt: stored.expiresAt }
}
