import { type OAuthGrant, oauthGrants } from '../../models/oauth-grants/oauth-grant.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Removes a grant. The table of references removes its tokens.
 *
 * @param reason end of the sentence in the change log. Default: no reason is named.
 */
export function removeGrant(tx: Writer, grant: OAuthGrant, reason = ''): void {
  const keys = { grantId: grant.id }
  tx.remove(oauthGrants, keys, grant)
  tx.describe(oauthGrants, keys, [({ it }) => `revoked the access of ${it}${reason}`])
}
