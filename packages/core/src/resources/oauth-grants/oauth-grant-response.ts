import * as v from 'valibot'
import type { OAuthGrant } from '../../models/oauth-grants/oauth-grant.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'

const oauthGrantObject = v.object({
  _links: links(),
  _id: v.string(),
  name: v.string(),
  clientId: v.string(),
  memberId: v.string(),
  scopes: list(v.string()),
  creationDate: timestamp(),
  code: v.optional(v.string()),
})

/** An OAuth grant in a response. */
export interface OAuthGrantResponse extends v.InferOutput<typeof oauthGrantObject> {}

export const oauthGrantResponse: v.GenericSchema<OAuthGrantResponse> = oauthGrantObject

/** The response for one grant, without its code. */
export function serializeOAuthGrant(
  { format }: ReadContext,
  { id, name, clientId, memberId, scopes, createdAt }: OAuthGrant,
): OAuthGrantResponse {
  return {
    _links: selfAndParent(path`/api/v2/oauth/grants/${id}`, '/api/v2/oauth/grants'),
    _id: id,
    name,
    clientId,
    memberId,
    scopes,
    creationDate: format.time(createdAt),
  }
}
