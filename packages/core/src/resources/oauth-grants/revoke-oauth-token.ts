import type { OAuthClient } from '../../models/oauth-clients/oauth-client.ts'
import { parseAccessToken, parseRefreshToken } from '../../models/oauth-grants/token-text.ts'
import { type OAuthParts, readTokens, replaceTokens } from './oauth-parts.ts'
import { type OAuthRefusal, refusal } from './oauth-protocol.ts'

/**
 * Revokes a token of an authenticated client: an access token alone, a refresh token with everything that was issued
 * for the same grant (RFC 7009, 2.1). A token that is unknown or has ended needs no revocation.
 *
 * @returns a refusal for a token of another client.
 */
export async function revokeOAuthToken(
  parts: OAuthParts,
  client: OAuthClient,
  token: string,
): Promise<OAuthRefusal | undefined> {
  const access = parseAccessToken(token)
  if (access) return revokeAccessToken(parts, client, access)
  const text = parseRefreshToken(token)
  const stored = text && (await readTokens(parts, text.id))
  if (!stored || stored.refresh?.familyHash !== (await parts.host.sha256(text.family))) return undefined
  if (stored.clientId !== client.id) return otherClient
  await parts.endGrant(stored.id, ', because the client revoked it')
  return undefined
}

const otherClient = refusal('invalid_grant', 'The token was issued to another client.')

async function revokeAccessToken(
  parts: OAuthParts,
  client: OAuthClient,
  { id, secret }: { readonly id: string; readonly secret: string },
): Promise<OAuthRefusal | undefined> {
  const hash = await parts.host.sha256(secret)
  for (;;) {
    const stored = await readTokens(parts, id)
    if (!stored?.access.some((each) => each.hash === hash)) return undefined
    if (stored.clientId !== client.id) return otherClient
    const access = stored.access.filter((each) => each.hash !== hash)
    if (await replaceTokens(parts, stored, { ...stored, access })) return undefined
  }
}
