import { type OAuthGrant, oauthGrants } from '../../models/oauth-grants/oauth-grant.ts'
import type { Context } from '../../operation/context.ts'
import type { Reader } from '../../storage/reader.ts'

/**
 * Returns the grant with an id. The required right depends on the member of the grant, which the id does not contain. A
 * grant that the caller may not view is `not_found`, so that a caller cannot find out which ids exist.
 */
export async function requireGrant(
  context: Context<Reader, 'not_found' | 'forbidden'>,
  keys: { readonly grantId: string },
  action: 'viewToken' | 'deleteAccessToken',
): Promise<OAuthGrant> {
  const grant = (await context.tx.get(oauthGrants, keys)) ?? context.fail('not_found')
  const visible = await context.allowed('viewToken', oauthGrants, keys, grant)
  if (!visible && !(await context.allowed(action, oauthGrants, keys, grant))) return context.fail('not_found')
  await context.demand(action, oauthGrants, keys, grant)
  return grant
}
