import * as v from 'valibot'
import { teams } from '../../models/teams/team.ts'
import { operation } from '../../operation/operation.ts'
import { page } from '../../operation/schema.ts'
import { serializeTeamMaintainers, teamMaintainersResponse } from './team-maintainers-response.ts'

export const listTeamMaintainers = operation({
  id: 'listTeamMaintainers',
  summary: 'List the maintainers of a team',
  method: 'GET',
  path: '/api/v2/teams/{teamKey}/maintainers',
  query: v.object(page()),
  success: { status: 200, body: teamMaintainersResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewTeam', resource: 'team/{teamKey}' },
  async handle(context, { params, query }) {
    const team = (await context.tx.get(teams, params)) ?? context.fail('not_found')
    return serializeTeamMaintainers(context, team, { page: query, url: context.url })
  },
})
