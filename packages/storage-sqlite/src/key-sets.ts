import type { SetId } from '@halyard/core/storage'
import { jsonChunks } from './row-source.ts'
import { type Sql, sql } from './sql.ts'
import { type AccountDatabase, select } from './sqlite-driver.ts'

/** Returns which of these keys a set contains. */
export async function findKeys(
  { driver, account }: AccountDatabase,
  set: SetId,
  keys: readonly string[],
): Promise<string[]> {
  const statements = jsonChunks([...new Set(keys)]).map((json) =>
    select(sql`select m.member from json_each(${json}) w cross join halyard_members m
      on m.account = ${account} and m.scope = ${set.scope} and m.name = ${set.name} and m.member = w.value`),
  )
  if (statements.length === 0) return []
  return (await driver.read(statements)).flat().map(({ member }) => String(member))
}

/** Returns the number of keys that are in one set and not in another. */
export async function countKeys({ driver, account }: AccountDatabase, set: SetId, without?: SetId): Promise<number> {
  const excluded = without
    ? sql`and not exists (select 1 from halyard_members o where o.account = ${account}
        and o.scope = ${without.scope} and o.name = ${without.name} and o.member = m.member)`
    : sql``
  const count = sql`select count(*) as n from halyard_members m where ${ofSet(account, set)} ${excluded}`
  const [rows] = await driver.read([select(count)])
  return Number(rows?.[0]?.n)
}

/** Returns the keys after `after`, in code-point order. */
export async function pageKeys(
  { driver, account }: AccountDatabase,
  set: SetId,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<string[]> {
  const rest = after === undefined ? sql`` : sql`and member > ${after}`
  const [rows = []] = await driver.read([
    select(sql`select member from halyard_members where ${ofSet(account, set)} ${rest} order by member limit ${limit}`),
  ])
  return rows.map(({ member }) => String(member))
}

/** Returns statements that add the keys that the set does not contain. */
export function addKeysSql(account: string, set: SetId, keys: readonly string[]): Sql[] {
  return jsonChunks(keys).map(
    (json) => sql`insert or ignore into halyard_members (account, scope, name, member)
      select ${account}, ${set.scope}, ${set.name}, value from json_each(${json})`,
  )
}

/** Returns statements that remove keys. */
export function removeKeysSql(account: string, set: SetId, keys: readonly string[]): Sql[] {
  return jsonChunks(keys).map(
    (json) => sql`delete from halyard_members
      where ${ofSet(account, set)} and member in (select value from json_each(${json}))`,
  )
}

/** Returns the statement that removes the keys of a set that another set does not contain. */
export function removeOthersSql(account: string, set: SetId, kept: SetId): Sql {
  return sql`delete from halyard_members where ${ofSet(account, set)}
    and member not in (select member from halyard_members where ${ofSet(account, kept)})`
}

/** Returns the statement that adds all keys of a set to another one. */
export function copyKeysSql(account: string, from: SetId, into: SetId): Sql {
  return sql`insert or ignore into halyard_members (account, scope, name, member)
    select ${account}, ${into.scope}, ${into.name}, member from halyard_members where ${ofSet(account, from)}`
}

/** Returns the statement that removes all keys of a set. */
export function clearKeysSql(account: string, set: SetId): Sql {
  return sql`delete from halyard_members where ${ofSet(account, set)}`
}

function ofSet(account: string, { scope, name }: SetId): Sql {
  return sql`account = ${account} and scope = ${scope} and name = ${name}`
}
