import * as v from 'valibot'
import type { OAuthClient } from '../../models/oauth-clients/oauth-client.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { links, list, name, text, timestamp } from '../../operation/schema.ts'
import { isRedirectUri } from '../../rules/redirect-uri.ts'

/** Properties of a client that a caller may set. */
export const oauthClientSettings = v.object({
  name: name(),
  description: text(),
  redirectUri: v.pipe(
    v.string(),
    v.maxLength(2048, 'must have at most 2048 characters'),
    v.check(isRedirectUri, 'must be an absolute https URI without a fragment, or http on 127.0.0.1 or [::1]'),
  ),
})

const oauthClientObject = v.object({
  _links: links(),
  name: v.string(),
  description: v.string(),
  _accountId: v.string(),
  _clientId: v.string(),
  redirectUri: v.string(),
  _creationDate: timestamp(),
  public: v.optional(v.boolean()),
  scopes: v.optional(list(v.string())),
  _clientSecret: v.optional(v.string()),
})

/** An OAuth client in a response. */
export interface OAuthClientResponse extends v.InferOutput<typeof oauthClientObject> {}

export const oauthClientResponse: v.GenericSchema<OAuthClientResponse> = oauthClientObject

export function serializeOAuthClient(
  { format, options }: ReadContext,
  { id, name, description, redirectUri, createdAt, public: isPublic, clientCredentials }: OAuthClient,
): OAuthClientResponse {
  return {
    _links: selfAndParent(path`/api/v2/oauth/clients/${id}`, '/api/v2/oauth/clients'),
    name,
    description,
    _accountId: options.account,
    _clientId: id,
    redirectUri,
    _creationDate: format.time(createdAt),
    ...(isPublic ? { public: true } : {}),
    ...(clientCredentials ? { scopes: clientCredentials.scopes } : {}),
  }
}
