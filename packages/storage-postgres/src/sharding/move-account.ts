import { branchNames, type StoredRecord } from '@halyard/core/storage'
import { poolDriver } from '../connections/pool-driver.ts'
import type { PostgresPool } from '../connections/postgres-pool.ts'
import { createPostgresStorage } from '../postgres-storage.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import { tablesOf } from '../schema/tables.ts'
import { createSqlStorage } from '../sql-storage.ts'
import { bypassFence, deleteAccount, fenceAccount, markCopied, markLeft, removeFence } from './account-fence.ts'
import { defaultRouteMs } from './sharded-storage.ts'

/** One of several databases that contain accounts. */
export interface ShardDatabase {
  readonly pool: PostgresPool
  /** Name of the schema. Default `halyard`. */
  readonly schema?: string
}

/** Options of `moveAccount`. */
export interface MoveAccountOptions {
  readonly account: string
  readonly from: ShardDatabase
  /**
   * The database to which the account moves. It must be migrated. Data of the account that it already contains is
   * replaced.
   */
  readonly to: ShardDatabase
  /**
   * Makes `shardOf` of all processes return the new shard, e.g. by updating the row of a table. Must have taken effect
   * when it resolves. It is called again when a move is repeated.
   */
  switchRoute(): Promise<void>
  /** The largest `routeMs` of all processes, ms. Default 1000. */
  readonly routeMs?: number
}

/** Maximum number of branches that an error names. */
const maxNamed = 5

/** Number of records of one commit. */
const maxRecords = 1000

/** Additional waiting time after `routeMs`, for processes whose clock runs slower, ms. */
const marginMs = 100

/**
 * Moves an account from one database to another while processes use it through `createShardedStorage`. Reads continue.
 * Writes wait for the time of the copy and `routeMs`, and are executed on the new database; no acknowledged change is
 * lost.
 *
 * After an error, or when the process has ended, the account stays readable and refuses writes: call the function again
 * with the same input. Of two calls that copy an account at the same time, at most one completes.
 *
 * @throws StorageUnavailable when a database does not answer.
 * @throws Error when another call moves the account, and for an account that has branches. Branches are accounts of
 *   their own; the message names them.
 *
 * @example
 * ```ts
 * import { moveAccount } from '@halyard/storage-postgres'
 * import pg from 'pg'
 *
 * const [east, west] = [new pg.Pool({ host: 'east' }), new pg.Pool({ host: 'west' })]
 *
 * export async function moveToWest(account: string): Promise<void> {
 *   const text = `update routes set shard = 'west' where account = $1`
 *   const switchRoute = async () => void (await east.query(text, [account]))
 *   await moveAccount({ account, from: { pool: east }, to: { pool: west }, switchRoute })
 * }
 * ```
 */
export async function moveAccount(options: MoveAccountOptions): Promise<void> {
  const { account, routeMs = defaultRouteMs } = options
  const [from, to] = [options.from, options.to].map(({ pool, schema = 'halyard' }) => ({
    tables: tablesOf(schema),
    account,
    driver: poolDriver(pool, { prepare: false, watch: false }),
    pool,
    schema,
  })) as [Side, Side]
  const mover = crypto.randomUUID()
  const state = await fenceAccount(from.driver, from, { state: 'leaving', mover })
  if (state === 'leaving') {
    await refuseBranches(from)
    // The other server starts to refuse writes before it receives the first row of the account, because a process that
    // was paused may still have the route of an earlier move.
    await fenceAccount(to.driver, to, { state: 'arriving', mover })
    await copyAccount(from, to)
    await markCopied(from.driver, from, mover)
  }
  // After the state is `left`, the other server may have newer data than the server that the account left, so the
  // account must not be copied again.
  if (state !== 'left') {
    await options.switchRoute()
    // A process that still uses the old route reads the same data on the old server, because the new server still
    // refuses writes.
    await new Promise((resolve) => setTimeout(resolve, routeMs + marginMs))
    await markLeft(from.driver, from)
  }
  await removeFence(to.driver, to)
  await deleteAccount(from.driver, from)
}

/**
 * Refuses an account with branches, which would stay on the server that the account leaves, and allows writes to it
 * again.
 */
async function refuseBranches(from: Side): Promise<void> {
  const { account } = from
  const names = await branchNames(readableStorage(from), await sha256(account))
  if (names.length === 0) return
  await removeFence(from.driver, from)
  const listed = `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ', …' : ''}`
  throw new Error(
    `moveAccount: the account ${account} has ${names.length} branches, which are not moved: merge or delete ${listed}`,
  )
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

interface Side extends AccountTables {
  readonly driver: ReturnType<typeof poolDriver>
  readonly pool: PostgresPool
  readonly schema: string
}

function readableStorage({ pool, schema }: Side) {
  return createPostgresStorage({ pool, schema, prepare: false, watch: false })
}

async function copyAccount(from: Side, to: Side): Promise<void> {
  const { account } = to
  await deleteAccount(to.driver, to)
  const driver = bypassFence(to.driver)
  const target = createSqlStorage({ name: 'postgres', driver, schema: to.schema, notify: false }).account(account)
  const source = readableStorage(from)
  let records: StoredRecord[] = []
  const write = async () => {
    const outcome = await target.commit([{ do: 'load', records }])
    if (outcome.outcome !== 'committed') throw new Error(`the account ${account} is being moved by another call`)
    records = []
  }
  for await (const chunk of source.account(account).dump()) {
    records.push(...chunk)
    if (records.length >= maxRecords) await write()
  }
  if (records.length > 0) await write()
}
