import { type Member, members } from '../../../models/members/member.ts'
import { resized, type Team, teams } from '../../../models/teams/team.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import { requireMaxMembers } from '../../members/bulk/selected-members.ts'
import { memberSentences } from '../team-sentences.ts'

/** Members who join teams. */
export interface Joining {
  readonly teamKeys: readonly string[]
  readonly joining: readonly Member[]
  /** Path of the list of teams in the request. */
  readonly attribute: string
}

/**
 * Adds members to teams. Members who already belong to a team stay in it. The caller needs the right to change the
 * members of each team that gets a member.
 *
 * @throws ApiError `invalid_request` that names each team that does not exist.
 */
export async function addToTeams(
  context: Context<Writer, 'invalid_request'>,
  additions: readonly Joining[],
): Promise<readonly Member[]> {
  const { tx } = context
  const now = context.readClock()
  const teamsByKey = await readTeams(context, additions)
  const membersById = new Map<string, Member>()
  const keysById = new Map<string, Set<string>>()
  const joinedByTeam = new Map<string, Member[]>()
  for (const { teamKeys, joining } of additions) {
    for (const member of joining) {
      membersById.set(member.id, member)
      const keys = keysById.get(member.id) ?? new Set(member.teamKeys)
      keysById.set(member.id, keys)
      for (const teamKey of teamKeys.filter((key) => !keys.has(key))) {
        keys.add(teamKey)
        joinedByTeam.set(teamKey, [...(joinedByTeam.get(teamKey) ?? []), member])
      }
    }
  }
  requireMaxMembers(context, membersById.size)
  for (const [teamKey, joined] of joinedByTeam) {
    const team = teamsByKey.get(teamKey) as Team
    tx.describe(teams, { teamKey }, memberSentences(joined, []))
    tx.replace(teams, { teamKey }, team, resized(team, joined.length, now))
  }
  return [...membersById.values()].map((member) => {
    const teamKeys = [...(keysById.get(member.id) ?? [])]
    if (teamKeys.length === (member.teamKeys?.length ?? 0)) return member
    return tx.follow(members, { memberId: member.id }, member, { ...member, teamKeys })
  })
}

async function readTeams(
  { tx, fail }: Context<Writer, 'invalid_request'>,
  additions: readonly Joining[],
): Promise<ReadonlyMap<string, Team>> {
  const keys = [...new Set(additions.flatMap(({ teamKeys }) => teamKeys))]
  const stored = await tx.getMany(
    teams,
    keys.map((teamKey) => ({ teamKey })),
  )
  const byKey = new Map(stored.flatMap((team) => (team ? [[team.key, team] as const] : [])))
  const errors = additions.flatMap(({ teamKeys, attribute }) =>
    teamKeys.flatMap((teamKey, index) =>
      byKey.has(teamKey) ? [] : [{ attribute: `${attribute}.${index}`, reason: 'must be the key of a team' }],
    ),
  )
  if (errors.length > 0) fail('invalid_request', { errors })
  return byKey
}
