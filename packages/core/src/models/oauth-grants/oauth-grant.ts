import type { Grant } from '../../operation/caller.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

/** The permission of a member for an OAuth client to act on their behalf. Its deletion ends all of its tokens. */
export interface OAuthGrant extends Versioned {
  /** A UUID. */
  readonly id: string
  /** Name of the client when the member granted it access. */
  readonly name: string
  readonly clientId: string
  readonly memberId: string
  /** Names of base roles and keys of custom roles. */
  readonly scopes: readonly string[]
  /**
   * Limits of the caller who granted the access, one layer each. They apply in addition to the limits of the member.
   */
  readonly limits: readonly Grant[]
  readonly createdAt: number
}

export const oauthGrants = documents<OAuthGrant>()({
  name: 'oauth-grant',
  noun: 'OAuth grant',
  address: 'oauth-grant/{grantId}',
  fields: ({ clientId, memberId, createdAt }) => ({ clientId, memberId, createdAt }),
  // For policies, a grant is a personal token of the member: a caller who may delete the tokens of the member may also
  // end the grants.
  resource: ({ id, memberId }) => [
    { kind: 'member', key: memberId },
    { kind: 'token', key: id },
  ],
  withoutSecrets: 'left out',
  shown: { id: '_id', limits: null, createdAt: shownTime('creationDate') },
  changes: { id: null, name: null, clientId: null, memberId: null, scopes: null, limits: null, createdAt: null },
})

/** A code that the client exchanges for tokens once. */
export interface AuthorizationCode {
  /** SHA-256 of the secret of the code. */
  readonly hash: string
  /** SHA-256 of the code verifier, in hex (RFC 7636, 4.2). */
  readonly challenge: string
  /** The redirect URI of the authorization request, which the token request repeats. */
  readonly redirectUri: string
  /** True once the code was exchanged. A second use of the code ends the grant (RFC 6749, 4.1.2). */
  readonly used: boolean
}

/** Parts of a refresh token, which is replaced at each use. */
export interface RefreshToken {
  /** SHA-256 of the secret of the refresh token. */
  readonly hash: string
  /**
   * SHA-256 of the part that all refresh tokens of a grant share. It distinguishes a refresh token that was used
   * already from a forged one.
   */
  readonly familyHash: string
}

export interface OAuthAccessToken {
  /** SHA-256 of the secret of the access token. */
  readonly hash: string
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number
}

/**
 * The secrets of a grant, or an access token that a client got without a member. Clients exchange and replace them at
 * any time, so they are stored separately from the grant, whose changes the change log contains.
 */
export interface OAuthTokens extends Versioned {
  /** Id of the grant. A token that a client got without a member has a UUID of its own. */
  readonly id: string
  readonly clientId: string
  /** The code that the client exchanges for tokens. Undefined for a token that a client got without a member. */
  readonly code?: AuthorizationCode
  readonly refresh?: RefreshToken
  /** The newest access tokens, oldest first. */
  readonly access: readonly OAuthAccessToken[]
  /** Time from which nothing in the document is valid: integer ms. */
  readonly expiresAt: number
}

export const oauthTokens = documents<OAuthTokens>()({
  name: 'oauth-tokens',
  address: 'oauth-tokens/{id}',
  fields: ({ id, clientId, expiresAt }) => ({ id, clientId, expiresAt }),
  withoutSecrets: 'left out',
})
