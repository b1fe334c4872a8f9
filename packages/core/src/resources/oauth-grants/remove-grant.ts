import { oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import { type OAuthGrant, oauthGrants } from '../../models/oauth-grants/oauth-grant.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Removes a grant. The table of references removes its tokens.
 *
 * @param reason end of the sentence in the change log. Default: none.
 */
export async function removeGrant(tx: Writer, grant: OAuthGrant, reason = ''): Promise<void> {
  const keys = { grantId: grant.id }
  const client = await tx.get(oauthClients, { clientId: grant.clientId })
  tx.remove(oauthGrants, keys, grant)
  tx.describe(oauthGrants, keys, [() => `revoked the access of ${client?.name ?? grant.clientId}${reason}`])
}
