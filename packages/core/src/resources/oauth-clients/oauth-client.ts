import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

/** A registered OAuth 2.0 client: an integration that members authorize to act in their name. */
export interface OAuthClient extends Versioned {
  /** A UUID. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly redirectUri: string
  /** SHA-256 of the client's secret. The secret is not stored. */
  readonly secretHash: string
  readonly createdAt: number
}

export const oauthClients = documents<OAuthClient>()({
  name: 'oauth-client',
  noun: 'OAuth client',
  address: 'oauth-client/{clientId}',
  fields: ({ createdAt }) => ({ createdAt }),
  secrets: ['secretHash'],
  // The secret of a client cannot be replaced; the client must be registered again.
  withoutSecrets: 'left out',
  shown: { id: '_clientId', createdAt: shownTime('_creationDate') },
  sentences: { changed: { redirectUri: 'redirect URI' } },
  changes: {
    id: null,
    name: 'updateOAuthClient',
    description: 'updateOAuthClient',
    redirectUri: 'updateOAuthClient',
    secretHash: null,
    createdAt: null,
  },
})
