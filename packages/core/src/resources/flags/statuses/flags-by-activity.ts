import { environments } from '../../../models/environments/environment.ts'
import { type Flag, flags } from '../../../models/flags/flag.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { filteredValues } from '../../../operation/filters/filtered-values.ts'
import type { Condition, Order } from '../../../storage/port.ts'
import type { ListResult } from '../../../storage/reader.ts'
import type { FilteredEnvironments } from '../filtered-environments.ts'
import { concernsEvaluation, flagsEvaluatedAfter, onLastRequested } from './evaluated-filter.ts'
import { flagsWithStatus } from './status-filters.ts'
import { statusRows } from './status-rows.ts'
import { viewsAllStatuses } from './visible-statuses.ts'

/** A page of flags, whose conditions may concern their activity in environments. */
export interface ActivityQuery {
  readonly where: readonly Condition[]
  readonly order: readonly Order[]
  readonly offset: number
  readonly limit: number
}

/**
 * Returns a page of flags that meet conditions. No storage can evaluate those on the activity of a flag, which are its
 * status and the time of its last evaluation: they come from rows in memory, if possible, and otherwise from all rows
 * of the environments.
 */
export async function flagsByActivity(
  context: ReadContext,
  inEnvironments: FilteredEnvironments,
  query: ActivityQuery,
): Promise<ListResult<Flag>> {
  const { projectKey } = inEnvironments
  const concernsActivity = concernsEvaluation(query.where) || filteredValues(query.where, 'status').length > 0
  const page = concernsActivity ? await pageInMemory(context, inEnvironments, query) : undefined
  if (page) return page
  const where = await flagsWithActivity(context, inEnvironments, query.where)
  return context.tx.list(flags, { projectKey }, { ...query, where })
}

/** Replaces conditions on the activity of flags by the keys of the flags that meet them. */
export async function flagsWithActivity(
  context: ReadContext,
  inEnvironments: FilteredEnvironments,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const evaluated = await flagsEvaluatedAfter(context, inEnvironments, conditions)
  return flagsWithStatus(context, inEnvironments, evaluated)
}

/** Returns a page from the rows in memory; undefined when they are not in memory, or do not contain the answer. */
async function pageInMemory(
  context: ReadContext,
  { projectKey, environmentKeys }: FilteredEnvironments,
  query: ActivityQuery,
): Promise<ListResult<Flag> | undefined> {
  const [environmentKey, second] = environmentKeys
  if (environmentKey === undefined || second !== undefined) return undefined
  const { tx } = context
  const keys = { projectKey, environmentKey }
  if (!(await viewsAllStatuses(context, keys)) || !(await tx.get(environments, keys))) return undefined
  const rows = context.joinedRows(statusRows, keys)
  const page = await rows?.page({ ...query, where: onLastRequested(query.where) })
  if (!page) {
    await rows?.count(async () => (await tx.listRows(flags, { projectKey }, { limit: 1 })).total)
    return undefined
  }
  const items: Flag[] = []
  const flagKeys = page.rows.map(({ document }) => ({ projectKey, flagKey: document.key }))
  for (const [i, flag] of (await tx.getMany(flags, flagKeys)).entries()) {
    // Another process may have changed or deleted a flag since its row was read.
    if (flag?.version !== page.rows[i]?.document.version) return undefined
    if (flag) items.push(flag)
  }
  return { items, total: page.total }
}
