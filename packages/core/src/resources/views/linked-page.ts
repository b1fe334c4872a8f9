import { flags } from '../../models/flags/flag.ts'
import { segments } from '../../models/segments/segment.ts'
import type { Context } from '../../operation/context.ts'
import { describeFilterError } from '../../rules/filter/cursor.ts'
import { compareCodePoints, foldAscii } from '../../storage/code-point-order.ts'
import type { Condition, Order } from '../../storage/port.ts'
import type { Reader, Row } from '../../storage/reader.ts'
import { maxEnvironments } from '../environments/environments-response.ts'
import { lookUpConditions } from '../flags/looked-up-filters.ts'
import { type LinkRow, listAllLinks, viewsInConditions } from '../view-filters/in-views.ts'
import type { LinkKind, ViewLinks } from './link-kind.ts'

type PageContext = Context<Reader, 'invalid_request' | 'not_found'>

interface LinkedQuery {
  readonly limit: number
  readonly offset: number
  readonly sort: Order
  readonly query?: string | undefined
  readonly filter: string
}

interface LinkPage {
  readonly items: readonly LinkRow[]
  readonly total: number
}

/**
 * Returns a page of the links of a view. A link contains only the time at which it was made. The names and the filtered
 * fields belong to the resources, so sorting or filtering by them reads all links of the view.
 */
export async function pageOfLinks(context: PageContext, links: ViewLinks, query: LinkedQuery): Promise<LinkPage> {
  const { kind, keys } = links
  const { sort, limit, offset } = query
  const conditions = conditionsOf(context, kind, query)
  if (sort.field === 'linkedAt' && conditions.length === 0) {
    const { items, total } = await context.tx.listRows(kind.links, keys, { order: [sort], limit, offset })
    // Cast: a row has the fields that the collection of links declares.
    return { items: items.map(({ fields }) => fields as never), total }
  }
  const matching = await matchingLinks(context, links, conditions)
  const compare = sort.field === 'name' ? byName : byTime
  // Links arrive sorted by key. The sort is stable, so equal elements keep that order in both directions.
  matching.sort((a, b) => (sort.descending ? compare(b, a) : compare(a, b)))
  return { items: matching.slice(offset, offset + limit).map(({ link }) => link), total: matching.length }
}

function conditionsOf({ fail }: PageContext, kind: LinkKind, { filter, query }: LinkedQuery): Condition[] {
  const { conditions, filterErrors } =
    filter.trim() === '' ? { conditions: [], filterErrors: [] } : kind.readFilter(filter)
  const errors = filterErrors.map((error) => ({ attribute: 'filter', reason: describeFilterError(error) }))
  // The rows of segments of many environments do not contain the views to which each segment is linked.
  if (kind.type === 'segment' && viewsInConditions(conditions).length > 0) {
    errors.push({ attribute: 'filter', reason: 'must not name views when segments of all environments are listed' })
  }
  if (errors.length > 0) fail('invalid_request', { errors })
  if (!query) return [...conditions]
  return [...conditions, { op: 'contains', in: ['key', 'name', 'description'], text: query }]
}

interface Match {
  readonly link: LinkRow
  readonly name: string
}

async function matchingLinks(
  context: PageContext,
  { kind, keys }: ViewLinks,
  conditions: readonly Condition[],
): Promise<Match[]> {
  const { tx } = context
  const links = await listAllLinks(tx, kind.links, keys, [])
  if (links.length === 0) return []
  const { projectKey } = keys
  const linked: Condition = { op: 'anyOf', field: 'key', values: links.map(({ resourceKey }) => resourceKey) }
  const rows =
    kind.type === 'flag'
      ? await tx.listRows(flags, keys, {
          where: [linked, ...(await lookUpConditions(context, projectKey, conditions))],
          limit: links.length,
        })
      : await tx.listRows(
          segments,
          { projectKey },
          {
            deep: true,
            where: [linked, ...conditions],
            limit: links.length * maxEnvironments,
          },
        )
  const linkByAddress = new Map(links.map((link) => [addressOf(kind.idOf(projectKey, link)), link]))
  return rows.items.flatMap((row) => {
    const link = linkByAddress.get(addressOf(row))
    return link ? [{ link, name: String(row.fields.name) }] : []
  })
}

function addressOf({ scope, key }: Pick<Row, 'scope' | 'key'>): string {
  return `${scope}\n${key}`
}

const byName = (a: Match, b: Match) => compareCodePoints(foldAscii(a.name), foldAscii(b.name))
const byTime = (a: Match, b: Match) => a.link.linkedAt - b.link.linkedAt
