import { views } from '../../models/views/view.ts'
import { type ViewLink, viewFlags, viewSegments } from '../../models/views/view-link.ts'
import type { Context } from '../../operation/context.ts'
import { filteredValues, replaceFieldConditions } from '../../operation/filters/filtered-values.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

/** Maximum number of views in one filter, because each of them is read. */
const maxViews = 10

const pageSize = 20_000

type FilterContext = Context<Reader, 'invalid_request'>

/** Replaces `view` in conditions on flags by the keys of the linked flags. */
export function flagsInViews(context: FilterContext, projectKey: string, conditions: readonly Condition[]) {
  return inViews(context, projectKey, conditions, (viewKey) =>
    listAllLinks(context.tx, viewFlags, { projectKey, viewKey }, []),
  )
}

/** Replaces `view` in conditions on segments of one environment by the keys of the linked segments. */
export function segmentsInViews(
  context: FilterContext,
  { projectKey, environmentKey }: Readonly<Record<'projectKey' | 'environmentKey', string>>,
  conditions: readonly Condition[],
) {
  const inEnvironment: Condition = { op: 'equals', field: 'environmentKey', value: environmentKey }
  return inViews(context, projectKey, conditions, (viewKey) =>
    listAllLinks(context.tx, viewSegments, { projectKey, viewKey }, [inEnvironment]),
  )
}

/**
 * Replaces `view` in conditions by conditions that the storage supports. A view that the caller may not view counts as
 * empty, like one that does not exist.
 */
async function inViews(
  context: FilterContext,
  projectKey: string,
  conditions: readonly Condition[],
  linksOf: (viewKey: string) => Promise<readonly LinkRow[]>,
): Promise<readonly Condition[]> {
  const viewKeys = viewsInConditions(conditions)
  if (viewKeys.length > maxViews) {
    context.fail('invalid_request', {
      errors: [{ attribute: 'filter', reason: `must name at most ${maxViews} views` }],
    })
  }
  const linked = new Map<unknown, readonly string[]>()
  await Promise.all(
    viewKeys.map(async (viewKey) => {
      const visible = await context.allowed('viewView', views, { projectKey, viewKey })
      linked.set(viewKey, visible ? (await linksOf(viewKey)).map(({ resourceKey }) => resourceKey) : [])
    }),
  )
  if (viewKeys.length === 0) return conditions
  const keyCondition = (requestedViews: readonly unknown[]): Condition => ({
    op: 'anyOf',
    field: 'key',
    values: requestedViews.flatMap((viewKey) => linked.get(viewKey) ?? []),
  })
  return conditions.map((condition) => replaceFieldConditions(condition, 'view', keyCondition))
}

/** Returns the views that conditions refer to. */
export function viewsInConditions(conditions: readonly Condition[]): readonly string[] {
  return filteredValues(conditions, 'view') as readonly string[]
}

/** Indexed fields of a link. */
export type LinkRow = Pick<ViewLink, 'resourceKey' | 'environmentId' | 'environmentKey' | 'linkedAt'>

/** Returns all links of a view that meet conditions. */
export async function listAllLinks(
  tx: Reader,
  collection: typeof viewFlags,
  keys: Readonly<Record<'projectKey' | 'viewKey', string>>,
  where: readonly Condition[],
): Promise<LinkRow[]> {
  const links: LinkRow[] = []
  for (let offset = 0; ; offset += pageSize) {
    const { items } = await tx.listRows(collection, keys, { where, limit: pageSize, offset })
    // Cast: a row has the fields that the collection of links declares.
    for (const { fields } of items) links.push(fields as never)
    if (items.length < pageSize) return links
  }
}
