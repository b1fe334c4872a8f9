import { teams as teamDocuments } from '../../models/teams/team.ts'
import { resource } from '../../operation/resource.ts'
import { createTeam } from './create-team.ts'
import { deleteTeam } from './delete-team.ts'
import { getTeam } from './get-team.ts'
import { listTeamMaintainers } from './list-team-maintainers.ts'
import { listTeamRoles } from './list-team-roles.ts'
import { listTeams } from './list-teams.ts'
import { patchTeam } from './patch-team.ts'

export const teams = resource({
  title: 'Teams',
  description: 'Groups of members that share roles.',
  kinds: [
    {
      shape: 'team',
      accountLevel: true,
      actions: [
        'viewTeam',
        'createTeam',
        'updateTeamName',
        'updateTeamDescription',
        'updateTeamMembers',
        'updateTeamCustomRoles',
        'updateTeamPermissionGrants',
        'updateTeamRoleAttributes',
        'deleteTeam',
      ],
    },
  ],
  collections: [teamDocuments],
  operations: [listTeams, createTeam, getTeam, patchTeam, deleteTeam, listTeamRoles, listTeamMaintainers],
  parameters: {
    teamKey: 'Key of the team.',
  },
})
