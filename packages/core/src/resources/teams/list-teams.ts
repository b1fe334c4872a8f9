import * as v from 'valibot'
import { teams } from '../../models/teams/team.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { termFilter, words } from '../../operation/filters/term-conditions.ts'
import { expand, page, sort } from '../../operation/schema.ts'
import { serializeTeam, teamResponse } from './team-schema.ts'

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
  summary: 'List the teams that the caller may view',
  path: '/api/v2/teams',
  access: { open: true, why: 'the list omits what the caller may not view' },
  query: v.object({
    ...page(),
    filter: termFilter({ query: words('key', 'name', 'description') }),
    sort: order,
    // The roles and projects of one team need a scan of all projects, which would take too long for a hundred teams.
    expand: expand('members', 'roleAttributes', 'maintainers'),
  }),
  select: ({ filter, sort }) => ({ where: filter, order: [sort] }),
  visible: 'viewTeam',
  response: teamResponse,
  serialize: (context, team, _, { expand }) => serializeTeam(context, team, expand),
})
