import * as v from 'valibot'
import { teams } from '../../models/teams/team.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { undoTeams } from './undo-teams.ts'

export const deleteTeam = deleteOperation(teams, {
  id: 'deleteTeam',
  undo: { ...undoTeams, removesConsequences: false },
  summary: 'Delete a team that has no members',
  path: '/api/v2/teams/{teamKey}',
  access: { action: 'deleteTeam', resource: 'team/{teamKey}' },
  query: v.object(detachQuery),
})
