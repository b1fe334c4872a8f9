import type { Query, SqlDriver } from '../connections/sql-driver.ts'
import { accountFenced } from '../connections/sqlstate.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import type { Tables } from '../schema/tables.ts'
import type { AccountQueries } from '../statements/account-queries.ts'

/**
 * Progress of a move, as the server that an account leaves stores it: `leaving` while it is copied, `copied` until all
 * processes use the other server, then `left`. The other server stores `arriving` until then.
 */
export type FenceState = 'leaving' | 'copied' | 'left' | 'arriving'

/** Setting of a transaction that may write to a fenced account. */
const bypass = 'halyard.moves_account'

/** Names of the tables that contain records of an account. */
function recordTables({ documents, members, samples, tasks, unblockedKeys, quotaLeases }: Tables): readonly string[] {
  return [documents, members, samples, tasks, unblockedKeys, quotaLeases]
}

const run = (query: Query, text: string, ...values: string[]) => query({ text, values })

/**
 * Makes the server refuse all writes to an account, whichever process sends them. Creating the triggers waits for the
 * transactions that write to the tables, so every commit that was acknowledged is visible afterwards.
 *
 * The state of a move that has copied the account is kept, because processes may already read the copy, and a repeated
 * move must not replace it.
 *
 * @param mover identifies the call that moves the account.
 * @returns the state of the fence.
 */
export async function fenceAccount(
  driver: Pick<SqlDriver, 'transaction'>,
  { tables, account }: AccountTables,
  { state, mover }: { readonly state: 'leaving' | 'arriving'; readonly mover: string },
): Promise<FenceState> {
  const { schema } = tables
  return driver.transaction(async (query) => {
    await lockFences(query, tables)
    await run(
      query,
      `create table if not exists ${schema}.fences
        (account text collate "C" primary key, state text not null, mover text not null)`,
    )
    await run(
      query,
      `insert into ${schema}.fences values ($1, $2, $3)
        on conflict (account) do update set state = excluded.state, mover = excluded.mover
        where fences.state not in ('copied', 'left') or excluded.state = 'arriving'`,
      account,
      state,
      mover,
    )
    await defineRefusal(query, tables)
    for (const table of recordTables(tables)) {
      await run(
        query,
        `create or replace trigger refuse_fenced before insert or update or delete on ${table}
          for each row execute function ${schema}.refuse_fenced()`,
      )
    }
    return stateOf({ query, tables, account }) as Promise<FenceState>
  })
}

/** Processes that change fences do so one after the other, because the function contains the fenced accounts. */
async function lockFences(query: Query, { schema }: Tables): Promise<void> {
  await run(query, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', `halyard fences ${schema}`)
}

/**
 * Defines the function of the triggers. The text of the function contains the fenced accounts. It does not read them
 * from the table, because a transaction of a host under `repeatable read` would not see a fence that is newer than its
 * snapshot. But such a transaction always calls the newest function.
 */
async function defineRefusal(query: Query, { schema }: Tables): Promise<void> {
  const text = `select encode(convert_to(account, 'UTF8'), 'hex') as account from ${schema}.fences`
  const { rows } = await query<{ account: string }>({ text, values: [] })
  const accounts = rows.map(({ account }) => `'${account}'`).join(', ')
  await run(
    query,
    `create or replace function ${schema}.refuse_fenced() returns trigger language plpgsql as $$
      begin
        if encode(convert_to(coalesce(new.account, old.account), 'UTF8'), 'hex') = any (array[${accounts}]::text[])
          and coalesce(current_setting('${bypass}', true), '') <> 'on' then
          raise exception 'the account is being moved' using errcode = '${accountFenced}';
        end if;
        return coalesce(new, old);
      end
    $$`,
  )
}

/**
 * Stores that the account was copied.
 *
 * @throws Error when another call has begun to move the account, and replaces the copy.
 */
export async function markCopied(
  { query }: Pick<SqlDriver, 'query'>,
  { tables, account }: AccountTables,
  mover: string,
) {
  const text = `update ${tables.schema}.fences set state = 'copied' where account = $1 and mover = $2 and state = 'leaving'`
  const { count } = await run(query, text, account, mover)
  if (count === 0) throw new Error(`the account ${account} is being moved by another call`)
}

/** Stores that no process uses this server for the account. */
export async function markLeft({ query }: Pick<SqlDriver, 'query'>, { tables, account }: AccountTables) {
  await run(query, `update ${tables.schema}.fences set state = 'left' where account = $1`, account)
}

/** Allows writes to an account again. */
export async function removeFence(driver: Pick<SqlDriver, 'transaction'>, { tables, account }: AccountTables) {
  await driver.transaction(async (query) => {
    await lockFences(query, tables)
    await run(query, `delete from ${tables.schema}.fences where account = $1`, account)
    await defineRefusal(query, tables)
  })
}

async function stateOf({ query, tables, account }: AccountQueries): Promise<FenceState | undefined> {
  const text = `select state from ${tables.schema}.fences where account = $1`
  return (await query<{ state: FenceState }>({ text, values: [account] })).rows[0]?.state
}

/** Returns a driver whose transactions may write to a fenced account. */
export function bypassFence(driver: SqlDriver): SqlDriver {
  const transaction: SqlDriver['transaction'] = (work) =>
    driver.transaction(async (query) => {
      await run(query, `select set_config('${bypass}', 'on', true)`)
      return work(query)
    })
  return {
    transaction,
    query: (statement) => transaction((query) => query(statement)),
    read: (selections) => driver.read(selections),
    close: () => driver.close(),
  }
}

/** Deletes everything that an account has on a server, even while the account is fenced. */
export async function deleteAccount(driver: SqlDriver, { tables, account }: AccountTables) {
  await bypassFence(driver).transaction(async (query) => {
    for (const table of recordTables(tables)) await run(query, `delete from ${table} where account = $1`, account)
  })
}
