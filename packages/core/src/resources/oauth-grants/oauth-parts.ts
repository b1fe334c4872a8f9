import { type OAuthGrant, type OAuthTokens, oauthGrants, oauthTokens } from '../../models/oauth-grants/oauth-grant.ts'
import type { Host } from '../../operation/context.ts'
import type { AccountStorage, Change } from '../../storage/port.ts'

/** An endpoint at which a client authenticates itself. */
export type OAuthEndpoint = 'token' | 'revoke' | 'introspect'

/** The parts of the engine that the steps of the OAuth protocol use. */
export interface OAuthParts {
  readonly storage: AccountStorage
  readonly host: Host
  /**
   * Counts a request of an authenticated client to an endpoint (`token`, `revoke`, `introspect`), in the quotas of
   * requests (docs/decisions/0001-follow-one-set-of-http-conventions.md#d13-rate-limit).
   *
   * @throws ApiError `rate_limited` when the quota of the account or the client is used up.
   */
  countRequest(clientId: string, endpoint: OAuthEndpoint): Promise<void>
  /**
   * Deletes a grant with all of its tokens, and records it in the change log. Does nothing when the grant was deleted
   * already.
   *
   * @param reason end of the sentence in the change log.
   */
  endGrant(grantId: string, reason: string): Promise<void>
}

/** Returns the tokens of an id from the storage, never from a cache, because a code can be used only once. */
export async function readTokens({ storage }: OAuthParts, id: string): Promise<OAuthTokens | undefined> {
  return (await storage.get(oauthTokens.id({ id })))?.body as OAuthTokens | undefined
}

export async function readGrant({ storage }: OAuthParts, grantId: string): Promise<OAuthGrant | undefined> {
  return (await storage.get(oauthGrants.id({ grantId })))?.body as OAuthGrant | undefined
}

/**
 * Replaces tokens. The change log does not contain this change, because callers do not change tokens directly.
 *
 * @returns false when another call has changed them since they were read; then nothing was written.
 */
export async function replaceTokens(parts: OAuthParts, before: OAuthTokens, after: OAuthTokens): Promise<boolean> {
  return committed(parts, {
    do: 'replace',
    id: oauthTokens.id({ id: before.id }),
    version: before.version,
    body: { ...after, version: before.version + 1 },
    fields: oauthTokens.fields(after),
  })
}

/** Adds tokens with a new id. */
export async function insertTokens(parts: OAuthParts, tokens: OAuthTokens): Promise<void> {
  await committed(parts, {
    do: 'insert',
    id: oauthTokens.id({ id: tokens.id }),
    body: { ...tokens, version: 1 },
    fields: oauthTokens.fields(tokens),
  })
}

async function committed({ storage }: OAuthParts, change: Change): Promise<boolean> {
  return (await storage.commit([change])).outcome === 'committed'
}
