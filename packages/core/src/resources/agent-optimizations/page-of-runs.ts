import type { ReadContext } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import { type PageQuery, pageLinks } from '../../operation/link.ts'
import type { Order } from '../../storage/port.ts'
import type { Row } from '../../storage/reader.ts'
import { agentOptimizations } from './agent-optimization.ts'
import { optimizationRuns } from './optimization-run.ts'

interface RunsQuery extends PageQuery {
  readonly order: readonly Order[]
}

/**
 * Returns one page of a list that has an entry for each run of an agent optimization.
 *
 * @param itemsOf returns the entries of these runs.
 * @throws ApiError `not_found` when the optimization does not exist.
 */
export async function pageOfRuns<Item>(
  context: ReadContext,
  keys: Readonly<Record<'projectKey' | 'optimizationKey', string>>,
  { order, ...page }: RunsQuery,
  itemsOf: (runs: readonly Row[]) => Promise<Item[]>,
) {
  const { tx, url } = context
  const [optimization, runs] = await Promise.all([
    tx.get(agentOptimizations, keys),
    tx.listRows(optimizationRuns, keys, { order, ...page }),
  ])
  if (!optimization) fail('not_found')
  return { items: await itemsOf(runs.items), totalCount: runs.total, _links: pageLinks(url, page, runs.total) }
}
