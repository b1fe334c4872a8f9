import * as v from 'valibot'
import { teams } from '../../models/teams/team.ts'
import { operation } from '../../operation/operation.ts'
import { page } from '../../operation/schema.ts'
import { writableProjects } from './team-projects-response.ts'
import { rolesOf, serializeTeamRoles, teamRolesResponse } from './team-roles-response.ts'

export const listTeamRoles = operation({
  id: 'listTeamRoles',
  summary: 'List the custom roles of a team, in the order in which they were added',
  method: 'GET',
  path: '/api/v2/teams/{teamKey}/roles',
  query: v.object(page({ limit: 25 })),
  success: { status: 200, body: teamRolesResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewTeam', resource: 'team/{teamKey}' },
  async handle(context, { params, query }) {
    const team = (await context.tx.get(teams, params)) ?? context.fail('not_found')
    const [teamRoles, writable] = await Promise.all([rolesOf(context, team), writableProjects(context, team)])
    return serializeTeamRoles(context, teamRoles, writable, { page: query, url: context.url })
  },
})
