import { type Team, teams } from '../../models/teams/team.ts'
import type { UndoContext, UndoRules } from '../../operation/undo/undo-rules.ts'
import { requireTeamReferences } from './require-team-references.ts'
import { validateTeam } from './validate-team.ts'

/** Rules for undoing changes of teams. The documents of their members are restored with them. */
export const undoTeams: UndoRules<Team, typeof teams.template> = {
  create: 'createTeam',
  counts: ['membership'],
  async update(context, { keys, current, wanted }) {
    await requireReferences(context, current, wanted)
    const errors = validateTeam(wanted)
    if (errors.length > 0) context.fail('invalid_request', { errors })
    context.tx.replace(teams, keys, current, { ...wanted, lastModified: context.readClock() })
  },
  async remove(context, keys, current) {
    await context.demand('deleteTeam', teams, keys, current)
    context.tx.remove(teams, keys, current)
  },
  async prepare(context, _, team) {
    await requireReferences(context, { ...team, customRoles: [], permissionGrants: [] }, team)
    return team
  },
}

/** Requires that the roles and members which the team gets again still exist, and that the caller may grant them. */
async function requireReferences(context: UndoContext, current: Team, wanted: Team): Promise<void> {
  const known = new Set(current.customRoles.map(({ key }) => key))
  await requireTeamReferences(context, wanted, current.permissionGrants, {
    roles: wanted.customRoles.flatMap(({ key }, index) =>
      known.has(key) ? [] : [{ attribute: `roles.${index}`, roleKey: key }],
    ),
    members: wanted.permissionGrants.flatMap(({ memberIDs }, i) =>
      memberIDs.map((memberId, j) => ({ attribute: `permissionGrants.${i}.memberIDs.${j}`, memberId })),
    ),
  })
}
