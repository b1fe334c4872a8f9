import type { GrantedLease, QuotaLeaseQuery } from '@halyard/core/storage'
import { sql } from './sql.ts'
import { type AccountDatabase, change, select } from './sqlite-driver.ts'

/**
 * Leases a part of a quota that all processes share. The row stores the last granted amount, because an upsert returns
 * only the new state of the row.
 *
 * @param sweep true to also delete windows that ended long ago. Two clocks may differ by the length of a window.
 */
export async function reserveLease(
  { driver, account }: AccountDatabase,
  { key, window, until, limit, requested }: QuotaLeaseQuery,
  sweep: boolean,
): Promise<GrantedLease> {
  const granted = sql`max(0, min(${requested}, ${limit} - lease.used))`
  const first = Math.min(limit, requested)
  const reserve = select(sql`insert into halyard_quota_leases as lease (account, started, key, until, used, granted)
    values (${account}, ${window}, ${key}, ${until}, ${first}, ${first})
    on conflict (account, started, key) do update set granted = ${granted}, used = lease.used + ${granted}
    returning granted, max(0, ${limit} - used) as remaining`)
  const swept = change(sql`delete from halyard_quota_leases
    where account = ${account} and started < ${window} and until <= ${2 * window - until}`)
  const [result] = await driver.write([sweep ? [reserve, swept] : [reserve]])
  if (!result || 'refusedBy' in result) throw result?.refusedBy
  const row = result.rows[0]?.[0]
  return { granted: Number(row?.granted), remaining: Number(row?.remaining) }
}
