import { teams as teamDocuments } from '../../models/teams/team.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

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
  operations: Object.values(operations),
  parameters: {
    teamKey: 'Key of the team.',
  },
})
