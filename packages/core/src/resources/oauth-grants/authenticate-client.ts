import { type OAuthClient, oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import type { OAuthEndpoint, OAuthParts } from './oauth-parts.ts'
import type { OAuthClientProof, OAuthRefusal } from './oauth-protocol.ts'
import { refusal } from './oauth-protocol.ts'

export async function findClient({ storage }: OAuthParts, clientId: string): Promise<OAuthClient | undefined> {
  if (clientId === '' || clientId.length > 256) return undefined
  return (await storage.get(oauthClients.id({ clientId })))?.body as OAuthClient | undefined
}

/**
 * Authenticates the client that a request names, and counts the request. A public client has no secret, so its name is
 * enough (RFC 6749, 3.2.1). A request without a valid client is not counted, so that it cannot use up the quota of the
 * account.
 *
 * @throws ApiError `rate_limited` when the quota of the account or the client is used up.
 */
export async function authenticateClient(
  parts: OAuthParts,
  { clientId, clientSecret }: OAuthClientProof,
  endpoint: OAuthEndpoint,
): Promise<OAuthClient | OAuthRefusal> {
  const client = await findClient(parts, clientId)
  const proven = client?.public
    ? clientSecret === undefined
    : client && clientSecret !== undefined && (await parts.host.sha256(clientSecret)) === client.secretHash
  if (!client || !proven) return refusal('invalid_client', 'The client is unknown, or its authentication is invalid.')
  await parts.countRequest(client.id, endpoint)
  return client
}
