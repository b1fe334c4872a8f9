import { createTeam } from './create-team.ts'
import { deleteTeam } from './delete-team.ts'
import { getTeam } from './get-team.ts'
import { listTeamMaintainers } from './list-team-maintainers.ts'
import { listTeamRoles } from './list-team-roles.ts'
import { listTeams } from './list-teams.ts'
import { patchTeam } from './patch-team.ts'

export const teamOperations = [
  listTeams,
  createTeam,
  getTeam,
  patchTeam,
  deleteTeam,
  listTeamRoles,
  listTeamMaintainers,
] as const
