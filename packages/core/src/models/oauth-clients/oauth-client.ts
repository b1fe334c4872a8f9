import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import type { Mandate } from '../tokens/mandate.ts'

/** A registered OAuth 2.0 client: an integration that members authorize to act in their name. */
export interface OAuthClient extends Versioned {
  /** A UUID. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly redirectUri: string
  /** SHA-256 of the client's secret. The secret is not stored. Empty for a public client, which has no secret. */
  readonly secretHash: string
  /** True for a client that cannot keep a secret, such as a native application (RFC 6749, 2.1). Default false. */
  readonly public?: boolean
  /**
   * Rights of the tokens that the client gets without a member (RFC 6749, 4.4). Default: the client gets no such
   * tokens.
   */
  readonly clientCredentials?: ClientCredentialsRights
  readonly createdAt: number
}

/** Rights of a client without a member. They never exceed the current rights of the caller who registered it. */
export interface ClientCredentialsRights {
  /** Names of base roles and keys of custom roles. */
  readonly scopes: readonly string[]
  /** The rights of the caller who registered the client. */
  readonly mandate: Mandate
}

export const oauthClients = documents<OAuthClient>()({
  name: 'oauth-client',
  noun: 'OAuth client',
  address: 'oauth-client/{clientId}',
  fields: ({ createdAt }) => ({ createdAt }),
  secrets: ['secretHash'],
  // The secret of a client cannot be replaced; the client must be registered again.
  withoutSecrets: 'left out',
  shown: {
    id: '_clientId',
    createdAt: shownTime('_creationDate'),
    clientCredentials: ({ scopes }) => ({ scopes }),
  },
  sentences: { changed: { redirectUri: 'redirect URI' } },
  changes: {
    id: null,
    name: 'updateOAuthClient',
    description: 'updateOAuthClient',
    redirectUri: 'updateOAuthClient',
    secretHash: null,
    public: null,
    clientCredentials: null,
    createdAt: null,
  },
})
