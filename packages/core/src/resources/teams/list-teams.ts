import * as v from 'valibot'
import { teams } from '../../models/teams/team.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { termFilter, words } from '../../operation/filters/term-conditions.ts'
import { expand, page, sort } from '../../operation/schema.ts'
import { presentTeam, teamWire } from './team-wire.ts'

const order = sort(
  {
    name: 'text',
    creationDate: { field: 'createdAt', type: 'number' },
    lastModified: 'number',
  },
  'name',
)

export const listTeams = listOperation(teams, {
  id: 'listTeams',
  summary: 'List the teams that the caller may see',
  path: '/api/v2/teams',
  access: { open: true, why: 'what the caller may not view is left out' },
  query: v.object({
    ...page(),
    filter: termFilter({ query: words('key', 'name', 'description') }),
    sort: order,
    // Roles and projects of one team are a look through all projects; of a hundred teams nobody waits for them.
    expand: expand('members', 'roleAttributes', 'maintainers'),
  }),
  select: ({ filter, sort }) => ({ where: filter, order: [sort] }),
  visible: 'viewTeam',
  response: teamWire,
  serialize: (context, team, _, { expand }) => presentTeam(context, team, expand),
})
