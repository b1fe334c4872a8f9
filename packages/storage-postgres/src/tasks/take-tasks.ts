import { compareCodePoints, type TakenTask, type TakeQuery } from '@halyard/core/storage'
import type { Statement } from '../connections/sql-driver.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import { bindAccount } from '../statements/account-binding.ts'
import type { AccountQueries } from '../statements/account-queries.ts'

/**
 * Number of tasks, and of rows of the table `openings`, that each further statement reads if the first did not return
 * enough tasks.
 */
const chunkSize = 1_000

interface TakenRow {
  /** Null in the single row that contains the numbers of rows read and changed. */
  readonly id: string | null
  readonly scope: string
  readonly lane: string
  readonly at: number
  readonly due: number
  readonly takes: number
  readonly body: string
  readonly awake: number
  readonly openings: number
  readonly changed: number
}

interface Round {
  readonly taken: readonly TakenTask[]
  /** True when there may be more tasks to take. */
  readonly hasMore: boolean
}

/**
 * Takes tasks that are due. One statement is enough, unless it reads tasks that wait behind others and are not marked
 * as asleep yet. It then marks these tasks as asleep, and the next statement reads the tasks that follow them.
 */
export async function takeTasks(queries: AccountQueries, take: TakeQuery): Promise<TakenTask[]> {
  const taken: TakenTask[] = []
  for (let chunk = take.limit, hasMore = true; hasMore && taken.length < take.limit; chunk = chunkSize) {
    const round = await takeRound(queries, { ...take, limit: take.limit - taken.length }, chunk)
    taken.push(...round.taken)
    hasMore = round.hasMore
  }
  return taken.sort(
    (a, b) => a.due - b.due || a.at - b.at || compareCodePoints(a.id, b.id) || compareCodePoints(a.scope, b.scope),
  )
}

async function takeRound(queries: AccountQueries, take: TakeQuery, chunk: number): Promise<Round> {
  const { rows } = await queries.query<TakenRow>(takeStatement(queries, take, chunk))
  const taken = rows.flatMap(({ id, scope, lane, at, due, takes, body }) =>
    id === null ? [] : [{ scope, id, lane, at, due, takes, body: JSON.parse(body) }],
  )
  const summary = rows.find(({ id }) => id === null)
  // When nothing changed, other callers have leased all tasks that were read, and reading again would return the same
  // tasks.
  const hasMore = !!summary && summary.changed > 0 && (summary.awake === chunk || summary.openings === chunkSize)
  return { taken, hasMore }
}

/**
 * The statement must be correct while other transactions take, finish and add tasks concurrently, each with its own
 * snapshot of the table:
 *
 * - Tasks that are taken or marked as asleep are locked first, and read again when another transaction has changed them
 *   since. The statement never waits for a lock.
 * - The first task of an ordering key stays in the table while a caller has leased it, so the next task is known not to
 *   be the first.
 * - A task is marked as asleep only while the task before it is locked. That task therefore cannot be removed without
 *   inserting a row into the table `openings`, which a later statement reads. Such a row is deleted only while the
 *   first task of its ordering key is locked, or when the key has no task.
 */
function takeStatement(accountTables: AccountTables, { name, now, until, limit }: TakeQuery, chunk: number): Statement {
  const { tables, owner: $account, bind, values } = bindAccount(accountTables)
  const { tasks, unblockedKeys } = tables
  const $name = bind(name)
  const [$now, $until] = [`${bind(now)}::bigint`, `${bind(until)}::bigint`]
  const [$limit, $chunk] = [`${bind(limit)}::bigint`, `${bind(chunk)}::bigint`]
  const ownRows = (alias: string) => `${alias}.account = ${$account} and ${alias}.name = ${$name}`
  // Rows are looked up one by one, by lateral joins and by the conflict of an insertion that cannot succeed. A planner
  // without statistics of a growing table would join with the whole table.
  const parts: TakeParts = { tasks, unblockedKeys, $account, $name, $now, $until, $limit, $chunk, ownRows }
  const text = lockCandidates(parts) + lockPredecessors(parts) + takeAndClose(parts)
  // The statement has no name, so Postgres plans it each time for the current size of the tables, which grow and shrink
  // more than other tables.
  return { text, values }
}

/** The parts of the statement, with the placeholders of its values. */
interface TakeParts {
  readonly tasks: string
  readonly unblockedKeys: string
  readonly $account: string
  readonly $name: string
  readonly $now: string
  readonly $until: string
  readonly $limit: string
  readonly $chunk: string
  /** Limits the rows of an alias to the account and the queue. */
  readonly ownRows: (alias: string) => string
}

/** Reads the table `openings`, and locks the first task of each ordering key and the tasks that are due. */
function lockCandidates({ tasks, unblockedKeys: openings, $now, $chunk, ownRows }: TakeParts): string {
  const columns = 't.scope, t.id, t.lane, t.at, t.due, t.leased_until, t.asleep'
  return `with opened as materialized (
      select o.scope, o.lane, o.mark from ${openings} o where ${ownRows('o')}
      order by o.scope, o.lane, o.mark limit ${chunkSize} for update skip locked
    ),
    looked as materialized (
      select o.*, first.at, first.id from opened o left join lateral (
        select n.at, n.id from ${tasks} n where ${ownRows('n')} and n.scope = o.scope and n.lane = o.lane
        order by n.at, n.id limit 1
      ) as first on true
    ),
    heads as materialized (
      select head.*, l.mark from looked l cross join lateral (
        select ${columns} from ${tasks} t
        where ${ownRows('t')} and t.scope = l.scope and t.lane = l.lane and t.at = l.at and t.id = l.id
        for no key update skip locked
      ) as head
    ),
    awake as materialized (
      select ${columns} from ${tasks} t
      where ${ownRows('t')} and not t.asleep and t.due <= ${$now} and t.leased_until <= ${$now}
      order by t.due, t.at, t.id, t.scope limit ${$chunk} for no key update skip locked
    ),
`
}

/** Finds the task before each of these tasks, and locks it unless another transaction has locked it. */
function lockPredecessors({ tasks, $now, $chunk, ownRows }: TakeParts): string {
  return `    met as materialized (
      select scope, id, lane, at, due, leased_until, asleep from heads union select * from awake
    ),
    placed as materialized (
      select m.*, before.at as before_at, before.id as before_id from met m left join lateral (
        select e.at, e.id from ${tasks} e where ${ownRows('e')} and e.scope = m.scope and e.lane = m.lane
          and (e.at, e.id) < (m.at, m.id) order by e.at desc, e.id desc limit 1
      ) as before on true
    ),
    guarded as materialized (
      select p.*, guard.id is not null as guarded, p.before_id is null and p.due <= ${$now} and p.leased_until <= ${$now}
        and ((select count(*) from awake) < ${$chunk} or (p.due, p.at, p.id, p.scope) <= (
          select a.due, a.at, a.id, a.scope from awake a order by a.due desc, a.at desc, a.id desc, a.scope desc limit 1
        )) as ready
      from placed p left join lateral (
        select g.id from ${tasks} g
        where ${ownRows('g')} and g.scope = p.scope and g.lane = p.lane and g.at = p.before_at and g.id = p.before_id
        for key share skip locked
      ) as guard on true
    ),
`
}

/** Takes tasks, marks others as asleep, and deletes the rows of the table `openings` that are no longer needed. */
function takeAndClose({ tasks, unblockedKeys: openings, $account, $name, $until, $limit, ownRows }: TakeParts): string {
  return `    decided as materialized (
      select g.*, g.ready and ${$limit} >= row_number() over (partition by g.ready order by g.due, g.at, g.id, g.scope) as taken
      from guarded g
    ),
    changed as (
      insert into ${tasks} as t (account, name, scope, id, lane, at, due, takes, leased_until, asleep, body)
      select ${$account}, ${$name}, d.scope, d.id, d.lane, d.at, d.due, d.taken::int,
        case when d.taken then ${$until} else d.leased_until end, d.guarded, ''
      from decided d where d.taken or d.asleep <> d.guarded
      on conflict (account, scope, name, id) do update
      set takes = t.takes + excluded.takes, leased_until = excluded.leased_until, asleep = excluded.asleep
      returning t.scope, t.id, t.lane, t.at, t.due, t.takes, t.body
    ),
    closed as (
      delete from ${openings} c using looked l
      where ${ownRows('c')} and c.scope = l.scope and c.lane = l.lane and c.mark = l.mark
        and (l.id is null or l.mark in (select mark from heads)) returning 1
    )
    select scope, id, lane, at::float8 as at, due::float8 as due, takes, body,
      null::int as awake, null::int as openings, null::int as changed
    from changed where (scope, id) in (select scope, id from decided where taken)
    union all select null, null, null, null, null, null, null, (select count(*) from awake)::int,
      (select count(*) from opened)::int, ((select count(*) from changed) + (select count(*) from closed))::int`
}
