import { operation } from '../../operation/operation.ts'
import { teams } from './team.ts'
import { tieMembers } from './tie-members.ts'

export const deleteTeam = operation({
  id: 'deleteTeam',
  summary: 'Delete a team that has no members',
  method: 'DELETE',
  path: '/api/v2/teams/{teamKey}',
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'deleteTeam', resource: 'team/{teamKey}' },
  async handle(context, { params }) {
    const team = (await context.tx.get(teams, params)) ?? context.fail('not_found')
    context.requireRevision(team.version)
    if (team.membership.size > 0) {
      context.fail('optimistic_locking_error', { message: `The team ${team.key} still has members` })
    }
    const nobody = { ...team, permissionGrants: [] }
    await tieMembers(context.tx, nobody, team.permissionGrants, { replaces: false, named: new Map() })
    context.tx.remove(teams, params, team)
  },
})
