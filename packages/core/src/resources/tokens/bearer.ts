import { type Member, members } from '../../models/members/member.ts'
import { type Role, roles } from '../../models/roles/role.ts'
import { grantedStatements } from '../../models/teams/permission.ts'
import { type Team, teams } from '../../models/teams/team.ts'
import type { Caller, Grant } from '../../operation/caller.ts'
import { type CompiledPolicy, type CompiledRole, compilePolicy } from '../../rules/policy/policy.ts'
import type { RoleAttributes } from '../../rules/policy/text-pattern.ts'
import type { DocumentId, StoredDocument } from '../../storage/port.ts'
import { baseRoles, compileRole } from '../policy.ts'

/** The holder of grants: a token, or the author of a change that is made later. */
export interface Bearer {
  /** Id of the caller in logs. */
  readonly id: string
  readonly tokenId: string | undefined
  readonly memberId: string | undefined
  /** True when the member must still exist, and their current rights are a limit. */
  readonly personal: boolean
  /** One layer each. All layers must allow an action (docs/decisions/0002-decide-access-by-policy.md#d16-tokens). */
  readonly grants: readonly Grant[]
}

/** The documents on which the rights of a bearer depend, as far as they exist. */
export interface BearerDocuments {
  readonly member: Member | undefined
  readonly teams: readonly Team[]
  readonly roles: readonly Role[]
}

/** Selects the documents of a bearer from a storage response. */
export function bearerDocuments(
  ids: readonly DocumentId[],
  documents: readonly (StoredDocument | undefined)[],
): BearerDocuments {
  const all = (collection: { readonly name: string }) =>
    documents.flatMap((document, i) => (document && ids[i]?.collection === collection.name ? [document.body] : []))
  const [member] = all(members) as Member[]
  return { member, teams: all(teams) as Team[], roles: all(roles) as Role[] }
}

/**
 * Returns the ids of all documents that a bearer and the known documents refer to. The member comes first, with an
 * empty id when there is none.
 */
export function idsOfBearer({ memberId, personal, grants: ownGrants }: Bearer, known: BearerDocuments): DocumentId[] {
  const { member, teams: joinedTeams } = known
  const teamKeys = new Set([...(member?.teamKeys ?? []), ...(member?.managedTeamKeys ?? [])])
  const grants = [...ownGrants, ...(member ? [memberGrant(member, joinedTeams)] : [])]
  const roleKeys = new Set(grants.flatMap((grant) => grant.customRoles ?? []))
  return [
    members.id({ memberId: (personal && memberId) || '' }),
    ...[...teamKeys].map((teamKey) => teams.id({ teamKey })),
    ...[...roleKeys].map((roleKey) => roles.id({ roleKey })),
  ]
}

/** Returns the rights of a member: by their own roles, by those of their teams, and by their permissions on teams. */
function memberGrant(member: Member, teamList: readonly Team[]): Grant {
  const joinedTeams = teamsOf(member, teamList)
  const customRoles = [...member.customRoles, ...joinedTeams.flatMap((team) => team.customRoles.map(({ key }) => key))]
  const statements = teamList.flatMap((team) => grantedStatements(team, member.id))
  return { role: member.role, customRoles: [...new Set(customRoles)], ...(statements.length > 0 ? { statements } : {}) }
}

/** Returns the teams of a member. The member may have permissions on other teams. */
function teamsOf({ teamKeys = [] }: Member, teamList: readonly Team[]): readonly Team[] {
  return teamList.filter(({ key }) => teamKeys.includes(key))
}

/** Returns the caller with its compiled rights; undefined when the member of a personal bearer was deleted. */
export function callerOf(
  bearer: Bearer,
  { member, teams: teamList, roles: roleList }: BearerDocuments,
): Caller | undefined {
  const { id, tokenId, memberId, personal, grants } = bearer
  if (personal && !member) return undefined
  const rolesByKey = new Map(roleList.map((role) => [role.key, role]))
  const attributes = member ? mergeAttributes([member, ...teamsOf(member, teamList)]) : {}
  const layers = grants.map((grant) => compileLayer(grant, rolesByKey, grant.roleAttributes ?? attributes))
  const standing = member && memberGrant(member, teamList)
  if (standing) layers.push(compileLayer(standing, rolesByKey, attributes))
  return { id, tokenId, memberId, layers, grants, standing, roleAttributes: attributes }
}

/**
 * Merges the role attributes of a member and their teams: values with the same name are combined
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 */
function mergeAttributes(holders: readonly Pick<Member, 'roleAttributes'>[]): RoleAttributes {
  const values = new Map<string, string[]>()
  for (const [name, attributeValues] of holders.flatMap(({ roleAttributes }) => Object.entries(roleAttributes))) {
    values.set(name, [...(values.get(name) ?? []), ...attributeValues])
  }
  return Object.fromEntries(values)
}

/** Compiles a grant. Deleted roles grant nothing. */
function compileLayer(
  grant: Grant,
  rolesByKey: ReadonlyMap<string, Role>,
  roleAttributes: RoleAttributes,
): CompiledPolicy {
  const compiled: CompiledRole[] = []
  if (grant.statements) compiled.push(compileRole({ name: 'inline', statements: grant.statements }, { roleAttributes }))
  if (grant.role) compiled.push(compileRole({ name: grant.role, statements: baseRoles[grant.role] }))
  for (const key of grant.customRoles ?? []) {
    const role = rolesByKey.get(key)
    if (role) compiled.push(compileRole({ name: key, statements: role.policy }, { roleAttributes }))
  }
  return compilePolicy(compiled)
}
