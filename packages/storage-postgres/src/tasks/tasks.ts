import type { QueueId, Task } from '@halyard/core/storage'
import type { Statement } from '../connections/sql-driver.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import { bindAccount } from '../statements/account-binding.ts'
import type { AccountQueries } from '../statements/account-queries.ts'
import { ofHiddenLength } from '../statements/array-rows.ts'
import { sameTask } from './task-changes.ts'

type ListedRow = Omit<Task, 'body'> & { readonly body: string }

/** A page of the tasks of one queue: at most `limit` tasks after the cursor. */
interface TaskPage {
  readonly after?: Pick<Task, 'at' | 'id'>
  readonly limit: number
}

/** Returns the tasks of one queue and scope that follow the cursor, in their order. */
export async function listTasks(queries: AccountQueries, queue: QueueId, page: TaskPage): Promise<Task[]> {
  const { rows } = await queries.query<ListedRow>(listStatement(queries, queue, page))
  return rows.map(({ id, lane, at, due, body }) => ({ id, lane, at, due, body: JSON.parse(body) }))
}

function listStatement(accountTables: AccountTables, { name, scope }: QueueId, { after, limit }: TaskPage): Statement {
  const { tables, owner, bind, values } = bindAccount(accountTables)
  const where = [
    `account = ${owner} and scope = ${bind(scope)} and name = ${bind(name)}`,
    ...(after ? [`(at, id) > (${bind(after.at)}::bigint, ${bind(after.id)}::text collate "C")`] : []),
  ].join(' and ')
  const text = `select id, lane, at::float8 as at, due::float8 as due, body from ${tables.tasks}
    where ${where} order by tasks.at, id limit ${bind(limit)}::bigint`
  return { name: `${after ? 'tasks-after' : 'tasks'} ${tables.schema}`, text, values }
}

/** Returns the number of times that tasks were taken, in the order of `ids`; undefined where no task exists. */
export async function getTakes(
  { query, tables, account }: AccountQueries,
  ids: readonly { readonly queue: QueueId; readonly task: string }[],
): Promise<(number | undefined)[]> {
  const { rows } = await query<{ place: number; takes: number }>({
    name: `takes ${tables.schema}`,
    text: `select wanted.place::float8 as place, takes
      from unnest(${['$2::text[]', '$3::text[]', '$4::text[]'].map(ofHiddenLength).join(', ')})
        with ordinality as wanted(scope, name, id, place)
      cross join lateral (select takes from ${tables.tasks} t where t.account = $1 and ${sameTask('wanted')} limit 1) as found`,
    values: [
      account,
      ids.map(({ queue }) => queue.scope),
      ids.map(({ queue }) => queue.name),
      ids.map((id) => id.task),
    ],
  })
  const takes = new Array<number | undefined>(ids.length).fill(undefined)
  for (const row of rows) takes[row.place - 1] = row.takes
  return takes
}
