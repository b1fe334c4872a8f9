import type { Query, SqlDriver } from './sql-driver.ts'
import { accountFenced } from './sqlstate.ts'
import type { Tables } from './tables.ts'

/**
 * Progress of a move, as the server that an account leaves stores it: `leaving` until all processes use the other
 * server, then `left`. The other server stores `arriving` until then.
 */
export type FenceState = 'leaving' | 'left' | 'arriving'

/** Setting of a transaction that may write to a fenced account. */
const bypass = 'halyard.moves_account'

/** Names of the tables that contain records of an account. */
function accountTables({ documents, members, samples, tasks, unblockedKeys, quotaLeases }: Tables): readonly string[] {
  return [documents, members, samples, tasks, unblockedKeys, quotaLeases]
}

const run = (query: Query, text: string, ...values: string[]) => query({ text, values })

/**
 * Makes the server refuse all writes to an account, whichever process sends them. Creating the triggers waits for the
 * transactions that write to the tables, so every commit that was acknowledged is visible afterwards.
 */
export async function fenceAccount(
  driver: Pick<SqlDriver, 'transaction'>,
  tables: Tables,
  account: string,
  state: FenceState,
): Promise<void> {
  const { schema } = tables
  await driver.transaction(async (query) => {
    await run(query, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', `halyard fences ${schema}`)
    await run(
      query,
      `create table if not exists ${schema}.fences (account text collate "C" primary key, state text not null)`,
    )
    await run(
      query,
      `create or replace function ${schema}.refuse_fenced() returns trigger language plpgsql as $$
        begin
          if exists (select 1 from ${schema}.fences f where f.account = coalesce(new.account, old.account))
            and coalesce(current_setting('${bypass}', true), '') <> 'on' then
            raise exception 'the account is being moved' using errcode = '${accountFenced}';
          end if;
          return coalesce(new, old);
        end
      $$`,
    )
    for (const table of accountTables(tables)) {
      await run(
        query,
        `create or replace trigger refuse_fenced before insert or update or delete on ${table}
          for each row execute function ${schema}.refuse_fenced()`,
      )
    }
    await run(
      query,
      `insert into ${schema}.fences values ($1, $2) on conflict (account) do update set state = excluded.state`,
      account,
      state,
    )
  })
}

/** Allows writes to an account again. */
export async function removeFence({ query }: Pick<SqlDriver, 'query'>, { schema }: Tables, account: string) {
  await run(query, `delete from ${schema}.fences where account = $1`, account)
}

/** Returns the state of the fence of an account; undefined where there is none. */
export async function fenceOf(
  { query }: Pick<SqlDriver, 'query'>,
  { schema }: Tables,
  account: string,
): Promise<FenceState | undefined> {
  const exists = await query({
    text: 'select 1 as found where to_regclass($1) is not null',
    values: [`${schema}.fences`],
  })
  if (exists.rows.length === 0) return undefined
  const text = `select state from ${schema}.fences where account = $1`
  return (await query<{ state: FenceState }>({ text, values: [account] })).rows[0]?.state
}

/** Deletes everything that an account has on a server, also while it is fenced. */
export async function deleteAccount(driver: Pick<SqlDriver, 'transaction'>, tables: Tables, account: string) {
  await driver.transaction(async (query) => {
    await run(query, `select set_config('${bypass}', 'on', true)`)
    for (const table of accountTables(tables)) await run(query, `delete from ${table} where account = $1`, account)
  })
}
