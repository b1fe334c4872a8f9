import { compareCodePoints, type QueueId, type TakenTask, type TakeQuery, type Task } from '@halyard/core/storage'
import { rowChunks } from './row-source.ts'
import { type Sql, type SqlValue, sql } from './sql.ts'
import { type AccountDatabase, type Row, select } from './sqlite-driver.ts'

/** Columns that are written for each task. */
export const taskColumns = ['scope', 'name', 'id', 'lane', 'at', 'due', 'body'] as const

/** Returns the values of `taskColumns`. */
export function taskRow({ name, scope }: QueueId, { id, lane, at, due, body }: Task): SqlValue[] {
  return [scope, name, id, lane, at, due, JSON.stringify(body ?? null)]
}

/** Returns a task from a row with `taskColumns`. */
export function taskOf({ id, lane, at, due, body }: Row): Task {
  return { id: String(id), lane: String(lane), at: Number(at), due: Number(due), body: JSON.parse(String(body)) }
}

/**
 * Takes tasks that are due. The tasks that can be taken are read first, so that a call that finds none does not wait
 * for other processes that write.
 */
export async function takeTasks({ driver, account }: AccountDatabase, take: TakeQuery): Promise<TakenTask[]> {
  const { name, now, until, limit } = take
  const ready = sql`from halyard_tasks indexed by halyard_tasks_ready
    where account = ${account} and name = ${name} and waiting = 0 and due <= ${now} and leased_until <= ${now}`
  const [found] = await driver.read([select(sql`select 1 as found ${ready} limit 1`)])
  if (!found?.length) return []
  const [result] = await driver.write([
    [
      select(sql`update halyard_tasks set takes = takes + 1, leased_until = ${until}
        where rowid in (select rowid ${ready} order by due, at, id, scope limit ${limit})
        returning scope, id, lane, at, due, takes, body`),
    ],
  ])
  if (!result || 'refusedBy' in result) throw result?.refusedBy
  return result.rows
    .flat()
    .map((row) => ({ scope: String(row.scope), takes: Number(row.takes), ...taskOf(row) }))
    .sort(
      (a, b) => a.due - b.due || a.at - b.at || compareCodePoints(a.id, b.id) || compareCodePoints(a.scope, b.scope),
    )
}

/** Returns the tasks of one queue and scope that follow the cursor, in their order. */
export async function listTasks(
  { driver, account }: AccountDatabase,
  { name, scope }: QueueId,
  { after, limit }: { readonly after?: Pick<Task, 'at' | 'id'>; readonly limit: number },
): Promise<Task[]> {
  const rest = after ? sql`and (at, id) > (${after.at}, ${after.id})` : sql``
  const [rows = []] = await driver.read([
    select(sql`select id, lane, at, due, body from halyard_tasks
      where account = ${account} and scope = ${scope} and name = ${name} ${rest} order by at, id limit ${limit}`),
  ])
  return rows.map(taskOf)
}

/** Returns the number of times that tasks were taken, in the order of `ids`; undefined where no task exists. */
export async function getTakes(
  { driver, account }: AccountDatabase,
  ids: readonly { readonly queue: QueueId; readonly task: string }[],
): Promise<(number | undefined)[]> {
  const takes = new Array<number | undefined>(ids.length).fill(undefined)
  const chunks = rowChunks(
    ['place', 'scope', 'name', 'id'],
    ids.map(({ queue, task }, place) => [place, queue.scope, queue.name, task]),
  )
  if (chunks.length === 0) return takes
  const rows = await driver.read(
    chunks.map(({ source }) =>
      select(sql`select w.place, t.takes from (${source}) w cross join halyard_tasks t on ${sameTask(account)}`),
    ),
  )
  for (const row of rows.flat()) takes[Number(row.place)] = Number(row.takes)
  return takes
}

/** Returns the condition that joins tasks `t` to the rows `w` that name them. */
export function sameTask(account: string): Sql {
  return sql`t.account = ${account} and t.scope = w.scope and t.name = w.name and t.id = w.id`
}
