import { type Member, members } from '../../models/members/member.ts'
import { grantees } from '../../models/teams/permission.ts'
import type { Team } from '../../models/teams/team.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Roster } from './edit-team.ts'

/** How many came to a team and how many left it. */
export interface Moves {
  readonly joined: number
  readonly left: number
}

/**
 * Notes at the members what a change of a team means for them: whether they belong to it, and whether they have
 * permissions in it.
 *
 * What is read here stays true until the commit: whoever changes it meanwhile also changes the team.
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

/** Everybody for whom something may change. */
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
