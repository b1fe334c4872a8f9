import { type Member, members } from '../../models/members/member.ts'
import { grantees } from '../../models/teams/permission.ts'
import type { Team } from '../../models/teams/team.ts'
import type { Writer } from '../../storage/writer.ts'
import type { RosterEdit } from './edit-team.ts'

/** Members who joined a team, and members who left it. */
export interface MembershipChange {
  readonly joined: readonly Member[]
  readonly left: readonly Member[]
}

/**
 * Updates the documents of members after a change of a team: the teams that they belong to, and the teams in which they
 * have permissions.
 *
 * The members that are read here cannot change before the commit, because every change of them also changes the team.
 */
export async function syncMembers(
  tx: Writer,
  team: Team,
  before: Team['permissionGrants'],
  roster: RosterEdit,
): Promise<MembershipChange> {
  const managers = grantees(team.permissionGrants)
  const joined: Member[] = []
  const remainingMembers: Member[] = []
  for (const member of await affectedMembers(tx, team.key, roster, new Set([...managers, ...grantees(before)]))) {
    const wasMember = member.teamKeys?.includes(team.key) ?? false
    const isMember = roster.membershipById.get(member.id) ?? (wasMember && !roster.replaces)
    if (isMember && !wasMember) joined.push(member)
    if (wasMember && !isMember) remainingMembers.push(member)
    tx.follow(members, { memberId: member.id }, member, {
      ...member,
      teamKeys: withKey(member.teamKeys, team.key, isMember),
      managedTeamKeys: withKey(member.managedTeamKeys, team.key, managers.has(member.id)),
    })
  }
  return { joined, left: remainingMembers }
}

/** Returns all members whose documents may change. */
async function affectedMembers(
  tx: Writer,
  teamKey: string,
  roster: RosterEdit,
  managers: ReadonlySet<string>,
): Promise<Iterable<Member>> {
  const membersById = new Map<string, Member>()
  if (roster.replaces) for (const member of await listAllMembers(tx, teamKey)) membersById.set(member.id, member)
  const ids = [...new Set([...roster.membershipById.keys(), ...managers])].filter((id) => !membersById.has(id))
  const others = await tx.getMany(
    members,
    ids.map((memberId) => ({ memberId })),
  )
  for (const member of others) if (member) membersById.set(member.id, member)
  return membersById.values()
}

const pageSize = 500

async function listAllMembers(tx: Writer, teamKey: string): Promise<readonly Member[]> {
  const all: Member[] = []
  const where = [{ op: 'equals', field: 'teamKeys', value: teamKey }] as const
  for (;;) {
    const { items } = await tx.list(members, {}, { where, limit: pageSize, offset: all.length })
    all.push(...items)
    if (items.length < pageSize) return all
  }
}

function withKey(keys: readonly string[] | undefined, key: string, isIncluded: boolean): readonly string[] | undefined {
  if ((keys?.includes(key) ?? false) === isIncluded) return keys
  return isIncluded ? [...(keys ?? []), key] : keys?.filter((other) => other !== key)
}
