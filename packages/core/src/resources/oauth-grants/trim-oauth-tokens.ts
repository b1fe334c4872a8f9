import { oauthGrants, oauthTokens } from '../../models/oauth-grants/oauth-grant.ts'
import type { Host } from '../../operation/context.ts'
import type { CompactionResult, CompactOptions } from '../../operation/tasks/maintenance.ts'
import type { SystemWrite } from '../../operation/tasks/system-write.ts'
import type { AccountStorage, ListQuery } from '../../storage/port.ts'
import { removeGrant } from './remove-grant.ts'

const batchSize = 100

/**
 * Removes codes and tokens that have expired, and the grants to which they belonged. The change log has an entry for
 * each grant.
 *
 * @returns zero summarized days, because this function summarizes nothing.
 */
export async function trimOAuthTokens(
  storage: AccountStorage,
  host: Pick<Host, 'now'>,
  _options: CompactOptions | undefined,
  write: SystemWrite,
): Promise<CompactionResult> {
  const done = { days: 0, more: false }
  const expired: ListQuery = {
    collection: oauthTokens.name,
    scope: '',
    where: [{ op: 'range', field: 'expiresAt', to: host.now() }],
    limit: batchSize,
    select: 'fields',
  }
  for (;;) {
    const { items } = await storage.list(expired)
    if (items.length === 0) return done
    for (const { key: id } of items) if (!(await write('trimOAuthTokens', removeExpired(id, host)))) return done
  }
}

/** Removes the tokens with an id, and their grant, unless a client has refreshed them since. */
function removeExpired(id: string, host: Pick<Host, 'now'>): Parameters<SystemWrite>[1] {
  return async ({ tx }) => {
    const [tokens, grant] = await Promise.all([tx.get(oauthTokens, { id }), tx.get(oauthGrants, { grantId: id })])
    if (tokens && tokens.expiresAt <= host.now()) tx.remove(oauthTokens, { id }, tokens)
    if (grant && (!tokens || tokens.expiresAt <= host.now())) removeGrant(tx, grant, ', because it expired')
  }
}
