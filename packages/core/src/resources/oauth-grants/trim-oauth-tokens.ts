import { oauthGrants, oauthTokens } from '../../models/oauth-grants/oauth-grant.ts'
import type { Host } from '../../operation/context.ts'
import type { CompactionResult } from '../../operation/tasks/maintenance.ts'
import type { AccountStorage, Change, ListQuery } from '../../storage/port.ts'

const batchSize = 100

/**
 * Removes codes and tokens that have expired, and the grants to which they belonged.
 *
 * @returns zero days, because only lead times are summarized.
 */
export async function trimOAuthTokens(storage: AccountStorage, host: Pick<Host, 'now'>): Promise<CompactionResult> {
  const expired: ListQuery = {
    collection: oauthTokens.name,
    scope: '',
    where: [{ op: 'range', field: 'expiresAt', to: host.now() }],
    limit: batchSize,
    select: 'fields',
  }
  for (;;) {
    const { items } = await storage.list(expired)
    const removals = items.flatMap(({ key: id, version }): Change[] => [
      // A client may refresh a token at this moment; then this fails, and the next run removes the others.
      { do: 'remove', id: oauthTokens.id({ id }), version },
      { do: 'discard', id: oauthGrants.id({ grantId: id }) },
    ])
    if (removals.length === 0 || (await storage.commit(removals)).outcome !== 'committed')
      return { days: 0, more: false }
  }
}
