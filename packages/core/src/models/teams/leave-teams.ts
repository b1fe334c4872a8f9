import type { WriteContext } from '../../operation/context.ts'
import type { Member } from '../members/member.ts'
import { withoutGrants } from './permission.ts'
import { resized, type Team, teams } from './team.ts'

/** Removes a member who is deleted from the member counts and the permission grants of their teams. */
export async function leaveTeams(context: WriteContext, member: Member): Promise<void> {
  const { tx } = context
  const now = context.readClock()
  const ownTeamKeys = new Set(member.teamKeys)
  const keys = [...new Set([...ownTeamKeys, ...(member.managedTeamKeys ?? [])])]
  const storedTeams = await tx.getMany(
    teams,
    keys.map((teamKey) => ({ teamKey })),
  )
  const withoutMember = (team: Team): Team => ({
    ...(ownTeamKeys.has(team.key) ? resized(team, -1, now) : team),
    permissionGrants: withoutGrants(team.permissionGrants, [member.id]),
    lastModified: now,
  })
  for (const team of storedTeams) if (team) tx.follow(teams, { teamKey: team.key }, team, withoutMember(team))
}
