import { type Member, members } from '../../models/members/member.ts'
import { grantees } from '../../models/teams/permission.ts'
import type { Team } from '../../models/teams/team.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Roster } from './edit-team.ts'

/** Number of members who joined a team, and number who left it. */
export interface Moves {
  readonly joined: number
  readonly left: number
}

/**
 * Updates the documents of members after a change of a team: the teams that they belong to, and the teams in which they
 * have permissions.
 *
 * The members that are read here cannot change before the commit, because every change of them also changes the team.
 */
export async function tieMembers(
  tx: Writer,
  team: Team,
  before: Team['permissionGrants'],
  roster: Roster,
): Promise<Moves> {
  const managers = grantees(team.permissionGrants)
  let joined = 0
  let left = 0
  for (const member of await concerned(tx, team.key, roster, new Set([...managers, ...grantees(before)]))) {
    const was = member.teamKeys?.includes(team.key) ?? false
    const is = roster.named.get(member.id) ?? (was && !roster.replaces)
    if (is && !was) joined++
    if (was && !is) left++
    tx.follow(members, { memberId: member.id }, member, {
      ...member,
      teamKeys: toggled(member.teamKeys, team.key, is),
      managedTeamKeys: toggled(member.managedTeamKeys, team.key, managers.has(member.id)),
    })
  }
  return { joined, left }
}

/** Returns all members whose documents may change. */
async function concerned(
  tx: Writer,
  teamKey: string,
  roster: Roster,
  managers: ReadonlySet<string>,
): Promise<Iterable<Member>> {
  const found = new Map<string, Member>()
  if (roster.replaces) for (const member of await everyMember(tx, teamKey)) found.set(member.id, member)
  const ids = [...new Set([...roster.named.keys(), ...managers])].filter((id) => !found.has(id))
  const others = await tx.getMany(
    members,
    ids.map((memberId) => ({ memberId })),
  )
  for (const member of others) if (member) found.set(member.id, member)
  return found.values()
}

const chunk = 500

async function everyMember(tx: Writer, teamKey: string): Promise<readonly Member[]> {
  const all: Member[] = []
  const where = [{ op: 'equals', field: 'teamKeys', value: teamKey }] as const
  for (;;) {
    const { items } = await tx.list(members, {}, { where, limit: chunk, offset: all.length })
    all.push(...items)
    if (items.length < chunk) return all
  }
}

function toggled(keys: readonly string[] | undefined, key: string, on: boolean): readonly string[] | undefined {
  if ((keys?.includes(key) ?? false) === on) return keys
  return on ? [...(keys ?? []), key] : keys?.filter((one) => one !== key)
}
