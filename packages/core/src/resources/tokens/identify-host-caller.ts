import { emailKey, type Member, memberEmails, members } from '../../models/members/member.ts'
import { teams } from '../../models/teams/team.ts'
import type { Caller, Grant } from '../../operation/caller.ts'
import type { HostIdentity, MemberIdentity, ServiceIdentity } from '../../operation/host-identity.ts'
import { StorageReader } from '../../storage/reader.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { baseRoles, validateStatements } from '../policy.ts'
import { attributesOf, type Bearer, loadCaller, memberGrant } from './bearer.ts'

/**
 * Finds the caller that a host names
 * (docs/decisions/0002-decide-access-by-policy.md#d38-callers-of-a-host-application).
 *
 * @returns undefined when there is no such member.
 * @throws TypeError naming the property of the identity that is invalid.
 */
export async function identifyHostCaller(reads: StorageReads, identity: HostIdentity): Promise<Caller | undefined> {
  validateIdentity(identity)
  if ('service' in identity) return loadCaller(reads, serviceBearer(identity))
  const member = await findMember(reads, identity.member)
  return member && loadCaller(reads, await memberBearer(reads, member, identity))
}

function validateIdentity(identity: HostIdentity): void {
  const { role, inlinePolicy } = identity
  const name = 'service' in identity ? identity.service : identity.member
  const property = 'service' in identity ? 'service' : 'member'
  if (typeof name !== 'string' || name.length < 1 || name.length > 256)
    throw new TypeError(`identify: ${property}: must have 1 to 256 characters`)
  if (role !== undefined && !Object.hasOwn(baseRoles, role))
    throw new TypeError(`identify: role: must be one of ${Object.keys(baseRoles).join(', ')}`)
  if ('teams' in identity && !isListOfKeys(identity.teams))
    throw new TypeError('identify: teams: must be a list of keys of teams')
  const [error] = inlinePolicy === undefined ? [] : validateStatements(inlinePolicy)
  if (error) throw new TypeError(`identify: inlinePolicy: ${error.attribute} ${error.reason}`)
}

function isListOfKeys(teamKeys: unknown): boolean {
  return Array.isArray(teamKeys) && teamKeys.every((key) => typeof key === 'string')
}

function serviceBearer({ service, role = 'no_access', inlinePolicy }: ServiceIdentity): Bearer {
  const grant: Grant = inlinePolicy ? { statements: inlinePolicy } : { role }
  return { id: `service/${service}`, tokenId: undefined, memberId: undefined, personal: false, grants: [grant] }
}

async function memberBearer(reads: StorageReads, member: Member, identity: MemberIdentity): Promise<Bearer> {
  const bearer: Bearer = {
    id: `member/${member.id}`,
    tokenId: undefined,
    memberId: member.id,
    personal: true,
    grants: [],
  }
  const grant = await assertedGrant(reads, member, identity)
  return grant ? { ...bearer, grants: [grant], asserted: true } : bearer
}

/** Returns the rights that replace the rights of the member; undefined when the identity replaces no rights. */
async function assertedGrant(
  reads: StorageReads,
  member: Member,
  { role, teams: teamKeys, inlinePolicy }: MemberIdentity,
): Promise<Grant | undefined> {
  if (inlinePolicy) return { statements: inlinePolicy }
  if (role === undefined && teamKeys === undefined) return undefined
  const asserted: Member = {
    ...member,
    role: role ?? member.role,
    teamKeys: teamKeys ?? member.teamKeys,
    // A member whom the host no longer lists in a team has no permissions in that team either.
    managedTeamKeys: member.managedTeamKeys?.filter((key) => teamKeys?.includes(key) ?? true),
  }
  const keys = [...new Set([...(asserted.teamKeys ?? []), ...(asserted.managedTeamKeys ?? [])])]
  const documents = await new StorageReader(reads).getMany(
    teams,
    keys.map((teamKey) => ({ teamKey })),
  )
  const joined = documents.filter((team) => team !== undefined)
  return { ...memberGrant(asserted, joined), roleAttributes: attributesOf(asserted, joined) }
}

/**
 * Finds a member by id or e-mail address. The last query finds the owner who was created with the account, whose
 * address is in no index entry.
 */
async function findMember(reads: StorageReads, name: string): Promise<Member | undefined> {
  const reader = new StorageReader(reads)
  if (!name.includes('@')) return reader.get(members, { memberId: name })
  const email = emailKey(name)
  const reserved = await reader.get(memberEmails, { email })
  if (reserved) return reader.get(members, { memberId: reserved.memberId })
  const where = [{ op: 'equals', field: 'email', value: email }] as const
  return (await reader.list(members, {}, { where, limit: 1 })).items[0]
}
