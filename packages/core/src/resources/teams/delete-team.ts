import { teams } from '../../models/teams/team.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { syncMembers } from './sync-members.ts'
import { undoTeams } from './undo-teams.ts'

export const deleteTeam = deleteOperation(teams, {
  id: 'deleteTeam',
  undo: { ...undoTeams, removesConsequences: false },
  summary: 'Delete a team that has no members',
  path: '/api/v2/teams/{teamKey}',
  access: { action: 'deleteTeam', resource: 'team/{teamKey}' },
  async also({ tx, fail }, team) {
    if (team.membership.size > 0) {
      fail('optimistic_locking_error', { message: `The team ${team.key} still has members` })
    }
    const withoutGrants = { ...team, permissionGrants: [] }
    await syncMembers(tx, withoutGrants, team.permissionGrants, { replaces: false, membershipById: new Map() })
  },
})
