import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, expand, page, sort } from '../../operation/schema.ts'
import { termFilter, words } from '../../operation/term-conditions.ts'
import { visiblePage } from '../../operation/visible-page.ts'
import type { Order } from '../../storage/port.ts'
import { teams } from './team.ts'
import { presentTeam, teamWire } from './team-wire.ts'

/** Where the things that a list can be sorted by are stored. */
const sortable = {
  name: { field: 'name', type: 'text' },
  creationDate: { field: 'createdAt', type: 'number' },
  lastModified: { field: 'lastModified', type: 'number' },
} as const satisfies Record<string, Order>

export const listTeams = operation({
  id: 'listTeams',
  summary: 'List the teams that the caller may see',
  method: 'GET',
  path: '/api/v2/teams',
  query: v.object({
    ...page(),
    filter: termFilter({ query: words('key', 'name', 'description') }),
    sort: sort(['name', 'creationDate', 'lastModified'], 'name'),
    // Roles and projects of one team are a look through all projects; of a hundred teams nobody waits for them.
    expand: expand('members', 'roleAttributes', 'maintainers'),
  }),
  success: { status: 200, body: collection(teamWire) },
  errors: ['invalid_request'],
  access: { open: true, why: 'what the caller may not view is left out' },
  async handle(context, { query }) {
    const found = await visiblePage(
      context,
      {
        collection: teams,
        scope: {},
        action: 'viewTeam',
        where: query.filter,
        order: [{ ...sortable[query.sort.field], descending: query.sort.descending }],
      },
      query,
    )
    return {
      items: await Promise.all(found.items.map((team) => presentTeam(context, team, query.expand))),
      totalCount: found.total,
      _links: pageLinks(context.url, query, found.total),
    }
  },
})
