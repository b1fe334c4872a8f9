import type { GrantedLease, QuotaLeaseQuery } from '@halyard/core/storage'
import type { Tables } from './schema/tables.ts'
import type { AccountQueries } from './statements/account-queries.ts'

/**
 * Leases a part of a quota that all processes share. One statement locks the row of key and window, so concurrent
 * leases are granted one after the other. The row stores the last granted amount, because an upsert returns only the
 * new state of the row.
 *
 * @param sweep true to also delete windows that ended long ago: a few at a time, except those that another process is
 *   deleting. Two clocks may differ by the length of a window.
 */
export async function reserveLease(
  { query, tables, account }: AccountQueries,
  { key, window, until, limit, requested }: QuotaLeaseQuery,
  sweep: boolean,
): Promise<GrantedLease> {
  const { rows } = await query<GrantedLease>({
    name: `${sweep ? 'sweep and reserve' : 'reserve'} ${tables.schema}`,
    text: `${sweep ? sweepSql(tables) : ''}insert into ${tables.quotaLeases} as share
        (account, started, key, until, used, granted)
      values ($1, $2, $3, $4, least($5::bigint, $6::bigint), least($5::bigint, $6::bigint))
      on conflict (account, started, key) do update
        set granted = greatest(0, least($6::bigint, $5::bigint - share.used)),
          used = share.used + greatest(0, least($6::bigint, $5::bigint - share.used))
        where share.used < $5::bigint
      returning granted::float8 as granted, greatest(0, $5::bigint - used)::float8 as remaining`,
    values: [account, window, key, until, limit, requested, ...(sweep ? [2 * window - until] : [])],
  })
  return rows[0] ?? { granted: 0, remaining: 0 }
}

function sweepSql({ quotaLeases }: Tables): string {
  return `with swept as (
    delete from ${quotaLeases} where account = $1 and (started, key) in (
      select started, key from ${quotaLeases}
      where account = $1 and started < $2 and until <= $7::bigint limit 10000 for update skip locked
    )
  ) `
}
