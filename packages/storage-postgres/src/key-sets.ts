import type { SetId } from '@halyard/core/storage'
import type { Statement } from './connections/sql-driver.ts'
import type { AccountTables } from './schema/account-tables.ts'
import type { AccountQueries } from './statements/account-queries.ts'

/** Returns true when a set contains a key. */
export async function hasKey({ query, tables, account }: AccountQueries, set: SetId, member: string): Promise<boolean> {
  const { rows } = await query({
    name: `has ${tables.schema}`,
    text: `select 1 as found from ${tables.members} where account = $1 and scope = $2 and name = $3 and member = $4`,
    values: [account, set.scope, set.name, member],
  })
  return rows.length > 0
}

/** Returns which of these keys a set contains. */
export async function findKeys(
  { query, tables, account }: AccountQueries,
  set: SetId,
  members: readonly string[],
): Promise<string[]> {
  const { rows } = await query<{ member: string }>({
    name: `among ${tables.schema}`,
    text: `select member from ${tables.members}
      where account = $1 and scope = $2 and name = $3 and member = any($4::text[])`,
    values: [account, set.scope, set.name, members],
  })
  return rows.map((row) => row.member)
}

/** Returns the number of keys that are in one set and not in another. */
export async function countKeys(
  { query, tables, account }: AccountQueries,
  set: SetId,
  without?: SetId,
): Promise<number> {
  const members = `select member from ${tables.members} where account = $1`
  // New sets have no statistics, so an anti-join would be planned as if each set had one key.
  const excludedSet = without ? `except ${members} and scope = $4 and name = $5` : ''
  const { rows } = await query<{ count: number }>({
    name: `${without ? 'count without' : 'count'} ${tables.schema}`,
    text: `select count(*)::float8 as count from (${members} and scope = $2 and name = $3 ${excludedSet}) found`,
    values: [account, set.scope, set.name, ...(without ? [without.scope, without.name] : [])],
  })
  return rows[0]?.count ?? 0
}

/** Returns the keys after `after`, in code-point order. */
export async function pageKeys(
  { query, tables, account }: AccountQueries,
  set: SetId,
  { after, limit }: { after?: string; limit: number },
): Promise<string[]> {
  const { rows } = await query<{ member: string }>({
    name: `${after === undefined ? 'first' : 'next'} ${tables.schema}`,
    text: `select member from ${tables.members} where account = $1 and scope = $2 and name = $3
      ${after === undefined ? '' : 'and member > $5'} order by member limit $4::bigint`,
    values: [account, set.scope, set.name, limit, ...(after === undefined ? [] : [after])],
  })
  return rows.map((row) => row.member)
}

/** Returns the statement that adds the keys that the set does not contain. */
export function addKeysStatement({ tables, account }: AccountTables, set: SetId, keys: readonly string[]): Statement {
  return {
    name: `add ${tables.schema}`,
    text: `insert into ${tables.members} (account, scope, name, member)
      select $1, $2, $3, member from unnest($4::text[]) as added(member) on conflict do nothing`,
    values: [account, set.scope, set.name, keys],
  }
}

/** Returns the statement that removes keys. */
export function removeKeysStatement(
  { tables, account }: AccountTables,
  set: SetId,
  keys: readonly string[],
): Statement {
  return {
    name: `remove ${tables.schema}`,
    text: `delete from ${tables.members} where account = $1 and scope = $2 and name = $3 and member = any($4::text[])`,
    values: [account, set.scope, set.name, keys],
  }
}

/**
 * Returns the statement that removes the keys of a set that another set does not contain. Each key is looked up,
 * because a join would be planned badly, as in `countKeys`.
 */
export function removeOthersStatement({ tables, account }: AccountTables, set: SetId, excludedSet: SetId): Statement {
  return {
    name: `remove others ${tables.schema}`,
    text: `delete from ${tables.members} m where account = $1 and scope = $2 and name = $3 and (
        select true from ${tables.members} other
        where other.account = $1 and other.scope = $4 and other.name = $5 and other.member = m.member
      ) is null`,
    values: [account, set.scope, set.name, excludedSet.scope, excludedSet.name],
  }
}

/**
 * Returns the statement that moves all keys of a set into another one. They are sorted, so that batches that add the
 * same keys wait in turn.
 */
export function moveKeysStatement({ tables, account }: AccountTables, from: SetId, into: SetId): Statement {
  return {
    name: `move ${tables.schema}`,
    text: `with moved as (
        delete from ${tables.members} where account = $1 and scope = $2 and name = $3 returning member
      )
      insert into ${tables.members} (account, scope, name, member)
      select $1, $4, $5, member from moved order by member on conflict do nothing`,
    values: [account, from.scope, from.name, into.scope, into.name],
  }
}
