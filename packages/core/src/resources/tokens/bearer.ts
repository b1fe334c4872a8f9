import { type Member, members } from '../../models/members/member.ts'
import { type Role, roles } from '../../models/roles/role.ts'
import { grantedStatements } from '../../models/teams/permission.ts'
import { type Team, teams } from '../../models/teams/team.ts'
import type { Caller, Grant } from '../../operation/caller.ts'
import { type CompiledPolicy, type CompiledRole, compilePolicy } from '../../rules/policy/policy.ts'
import type { RoleAttributes } from '../../rules/policy/text-pattern.ts'
import type { DocumentId, StoredDocument } from '../../storage/port.ts'
import { baseRoles, compileRole } from '../policy.ts'

/** Whoever acts by what was granted to them: with a token, or by what they left to be done later. */
export interface Bearer {
  /** Names the caller in logs. */
  readonly id: string
  readonly tokenId: string | undefined
  readonly memberId: string | undefined
  /** Whether the member must be there still, and may do no more than they may do now. */
  readonly personal: boolean
  /** One layer each, and each must allow (D16). */
  readonly grants: readonly Grant[]
}

/** What stands around a bearer; of teams and roles only those that there are. */
export interface Interceptor {
  readonly member: Member | undefined
  readonly teams: readonly Team[]
  readonly roles: readonly Role[]
}

/** The same as it was found in storage. */
export function around(ids: readonly DocumentId[], found: readonly (StoredDocument | undefined)[]): Interceptor {
  const all = (collection: { readonly name: string }) =>
    found.flatMap((document, i) => (document && ids[i]?.collection === collection.name ? [document.body] : []))
  const [member] = all(members) as Member[]
  return { member, teams: all(teams) as Team[], roles: all(roles) as Role[] }
}

/** What a bearer and all that was seen so far name; the member comes first, an empty place where there is none. */
export function idsAround({ memberId, personal, grants: own }: Bearer, seen: Interceptor): DocumentId[] {
  const { member, teams: joined } = seen
  const teamKeys = new Set([...(member?.teamKeys ?? []), ...(member?.managedTeamKeys ?? [])])
  const grants = [...own, ...(member ? [standingOf(member, joined)] : [])]
  const roleKeys = new Set(grants.flatMap((grant) => grant.customRoles ?? []))
  return [
    members.id({ memberId: (personal && memberId) || '' }),
    ...[...teamKeys].map((teamKey) => teams.id({ teamKey })),
    ...[...roleKeys].map((roleKey) => roles.id({ roleKey })),
  ]
}

/** What a member may do: by their own roles, by those of their teams, and by what teams permit them to do to the team. */
function standingOf(member: Member, named: readonly Team[]): Grant {
  const joined = teamsOf(member, named)
  const customRoles = [...member.customRoles, ...joined.flatMap((team) => team.customRoles.map(({ key }) => key))]
  const statements = named.flatMap((team) => grantedStatements(team, member.id))
  return { role: member.role, customRoles: [...new Set(customRoles)], ...(statements.length > 0 ? { statements } : {}) }
}

/** Those that the member belongs to; the member may also have permissions in others. */
function teamsOf({ teamKeys = [] }: Member, named: readonly Team[]): readonly Team[] {
  return named.filter(({ key }) => teamKeys.includes(key))
}

/** Who acts; undefined where the member behind it is gone. */
export function callerOf(bearer: Bearer, { member, teams: named, roles: found }: Interceptor): Caller | undefined {
  const { id, tokenId, memberId, personal, grants } = bearer
  if (personal && !member) return undefined
  const known = new Map(found.map((role) => [role.key, role]))
  const attributes = member ? united([member, ...teamsOf(member, named)]) : {}
  const layers = grants.map((grant) => layer(grant, known, grant.roleAttributes ?? attributes))
  const standing = member && standingOf(member, named)
  if (standing) layers.push(layer(standing, known, attributes))
  return { id, tokenId, memberId, layers, grants, standing, roleAttributes: attributes }
}

/** The role attributes of a member and their teams, values of one name together (D15). */
function united(holders: readonly Pick<Member, 'roleAttributes'>[]): RoleAttributes {
  const values = new Map<string, string[]>()
  for (const [name, some] of holders.flatMap(({ roleAttributes }) => Object.entries(roleAttributes))) {
    values.set(name, [...(values.get(name) ?? []), ...some])
  }
  return Object.fromEntries(values)
}

/** A role that is gone grants nothing. */
function layer(grant: Grant, known: ReadonlyMap<string, Role>, roleAttributes: RoleAttributes): CompiledPolicy {
  const compiled: CompiledRole[] = []
  if (grant.statements) compiled.push(compileRole({ name: 'inline', statements: grant.statements }, { roleAttributes }))
  if (grant.role) compiled.push(compileRole({ name: grant.role, statements: baseRoles[grant.role] }))
  for (const key of grant.customRoles ?? []) {
    const role = known.get(key)
    if (role) compiled.push(compileRole({ name: key, statements: role.policy }, { roleAttributes }))
  }
  return compilePolicy(compiled)
}
