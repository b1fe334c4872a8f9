import { views } from '../../models/views/view.ts'
import { type ViewLink, viewFlags, viewSegments } from '../../models/views/view-link.ts'
import type { Context } from '../../operation/context.ts'
import { filteredValues, replaceFieldConditions } from '../../operation/filters/filtered-values.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

/** Maximum number of views in one filter, because each of them is read. */
const mostViews = 10

const chunk = 20_000

type FilterContext = Context<Reader, 'invalid_request'>

/** Replaces `view` in conditions on flags by the keys of the linked flags. */
export function flagsInViews(context: FilterContext, projectKey: string, conditions: readonly Condition[]) {
  return inViews(context, projectKey, conditions, (viewKey) =>
    everyLink(context.tx, viewFlags, { projectKey, viewKey }, []),
  )
}

/** Replaces `view` in conditions on segments of one environment by the keys of the linked segments. */
export function segmentsInViews(
  context: FilterContext,
  { projectKey, environmentKey }: Readonly<Record<'projectKey' | 'environmentKey', string>>,
  conditions: readonly Condition[],
) {
  const here: Condition = { op: 'equals', field: 'environmentKey', value: environmentKey }
  return inViews(context, projectKey, conditions, (viewKey) =>
    everyLink(context.tx, viewSegments, { projectKey, viewKey }, [here]),
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
  const named = viewsNamed(conditions)
  if (named.length > mostViews) {
    context.fail('invalid_request', {
      errors: [{ attribute: 'filter', reason: `must name at most ${mostViews} views` }],
    })
  }
  const linked = new Map<unknown, readonly string[]>()
  await Promise.all(
    named.map(async (viewKey) => {
      const seen = await context.allowed('viewView', views, { projectKey, viewKey })
      linked.set(viewKey, seen ? (await linksOf(viewKey)).map(({ resourceKey }) => resourceKey) : [])
    }),
  )
  if (named.length === 0) return conditions
  const withKeys = (asked: readonly unknown[]): Condition => ({
    op: 'anyOf',
    field: 'key',
    values: asked.flatMap((viewKey) => linked.get(viewKey) ?? []),
  })
  return conditions.map((one) => replaceFieldConditions(one, 'view', withKeys))
}

/** Returns the views that conditions refer to. */
export function viewsNamed(conditions: readonly Condition[]): readonly string[] {
  return filteredValues(conditions, 'view') as readonly string[]
}

/** Indexed fields of a link. */
export type LinkRow = Pick<ViewLink, 'resourceKey' | 'environmentId' | 'environmentKey' | 'linkedAt'>

/** Returns all links of a view that meet conditions. */
export async function everyLink(
  tx: Reader,
  links: typeof viewFlags,
  keys: Readonly<Record<'projectKey' | 'viewKey', string>>,
  where: readonly Condition[],
): Promise<LinkRow[]> {
  const all: LinkRow[] = []
  for (let offset = 0; ; offset += chunk) {
    const { items } = await tx.listRows(links, keys, { where, limit: chunk, offset })
    // Cast: a row has the fields that the collection of links declares.
    for (const { fields } of items) all.push(fields as never)
    if (items.length < chunk) return all
  }
}
