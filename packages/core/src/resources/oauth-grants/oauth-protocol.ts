/** Error codes of the token endpoint (RFC 6749, 5.2). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'invalid_scope'

/** A request that is refused, in the terms of RFC 6749, 5.2. It contains no secret. */
export interface OAuthRefusal {
  readonly error: OAuthErrorCode
  /** Explanation for the developer of the client, as a sentence. */
  readonly description: string
}

/** The proof of the identity of a client: its secret. A public client has no proof. */
export interface OAuthClientProof {
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined
}

/** The properties of a client that an authorization server shows. */
export interface OAuthClientDescription {
  readonly clientId: string
  readonly name: string
  readonly description: string
}

/** A request for tokens (RFC 6749, 4.1.3, 4.4.2 and 6). */
export type OAuthTokenRequest =
  | {
      readonly grantType: 'authorization_code'
      readonly code: string
      readonly redirectUri: string
      readonly codeVerifier: string
    }
  | {
      readonly grantType: 'refresh_token'
      readonly refreshToken: string
      /** Some of the scopes of the grant. Default: all. */
      readonly scopes: readonly string[] | undefined
    }
  | {
      readonly grantType: 'client_credentials'
      /** Some of the scopes of the client. Default: all. */
      readonly scopes: readonly string[] | undefined
    }

/** Tokens that were issued (RFC 6749, 5.1). */
export interface OAuthIssuedTokens {
  readonly accessToken: string
  /** Undefined for tokens that a client got without a member. */
  readonly refreshToken: string | undefined
  readonly scopes: readonly string[]
  /** Validity of the access token, seconds. */
  readonly expiresIn: number
}

/** The result of the introspection of a valid token (RFC 7662, 2.2). */
export interface OAuthTokenDescription {
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Id of the member, or id of the client when the token has no member. */
  readonly subject: string
  /** Integer ms, UTC. */
  readonly issuedAt: number
  /** Integer ms, UTC. */
  readonly expiresAt: number
}

/** Returns true for a refused request. */
export function isOAuthRefusal(result: object | undefined): result is OAuthRefusal {
  return result !== undefined && 'error' in result
}

export function refusal(error: OAuthErrorCode, description: string): OAuthRefusal {
  return { error, description }
}
