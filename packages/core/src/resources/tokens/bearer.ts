import { type Member, members } from '../../models/members/member.ts'
import { type Role, roles } from '../../models/roles/role.ts'
import { grantedStatements } from '../../models/teams/permission.ts'
import { type Team, teams } from '../../models/teams/team.ts'
import type { Caller, Grant } from '../../operation/caller.ts'
import { type CompiledPolicy, type CompiledRole, compilePolicy } from '../../rules/policy/policy.ts'
import type { RoleAttributes } from '../../rules/policy/text-pattern.ts'
import type { DocumentId, StoredDocument } from '../../storage/port.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { baseRoles, compileRole } from '../policy.ts'

/** The holder of grants: a token, or the author of a change that is made later. */
export interface Bearer {
  /** Id of the caller in logs. */
  readonly id: string
  readonly tokenId: string | undefined
  readonly memberId: string | undefined
  /** True when the member must still exist, and their current rights are a limit. */
  readonly personal: boolean
  /**
   * Each grant is a layer of the caller. All layers must allow an action
   * (docs/decisions/0002-decide-access-by-policy.md#d16-tokens).
   */
  readonly grants: readonly Grant[]
  /** True when the stored rights of the member are not a limit, because a host asserted `grants` in their place. */
  readonly asserted?: true
}

/** The documents on which the rights of a bearer depend; documents that do not exist are left out. */
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

/**
 * Returns the rights that a member has by their own roles, by the roles of their teams, and by their permissions on
 * teams.
 */
export function memberGrant(member: Member, teamList: readonly Team[]): Grant {
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
  const { id, tokenId, memberId, personal, grants, asserted } = bearer
  if (personal && !member) return undefined
  const rolesByKey = new Map(roleList.map((role) => [role.key, role]))
  const attributes = member ? attributesOf(member, teamList) : {}
  const layers = grants.map((grant, i) =>
    compileLayer(grant, rolesByKey, grant.roleAttributes ?? attributes, [
      // Only the first layer of the member's own grants gets the right to the member's own tokens, because the limits
      // of other callers must not include it.
      ...(member && grant.role && i === 0 ? [ownTokensRole(member, asserted ? '*' : 'viewToken')] : []),
    ]),
  )
  if (asserted)
    return { id, tokenId, memberId, layers, grants, standing: undefined, asserted, roleAttributes: attributes }
  const standing = member && memberGrant(member, teamList)
  if (standing) layers.push(compileLayer(standing, rolesByKey, attributes, [ownTokensRole(member, '*')]))
  return { id, tokenId, memberId, layers, grants, standing, roleAttributes: attributes }
}

/**
 * Returns the right of a member to their own tokens (docs/decisions/0002-decide-access-by-policy.md#d16-tokens). A
 * token whose own role does not include tokens may only view them: otherwise a person who finds such a token could make
 * tokens that remain when it is deleted.
 */
function ownTokensRole({ id }: Member, action: '*' | 'viewToken'): CompiledRole {
  const statements = [{ effect: 'allow', resources: [`member/${id}:token/*`], actions: [action] }] as const
  return compileRole({ name: 'self', statements })
}

/**
 * Merges the role attributes of a member and their teams: values with the same name are combined
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 */
export function attributesOf(member: Member, teamList: readonly Team[]): RoleAttributes {
  const values = new Map<string, string[]>()
  const holders: readonly Pick<Member, 'roleAttributes'>[] = [member, ...teamsOf(member, teamList)]
  for (const [name, attributeValues] of holders.flatMap(({ roleAttributes }) => Object.entries(roleAttributes))) {
    values.set(name, [...(values.get(name) ?? []), ...attributeValues])
  }
  return Object.fromEntries(values)
}

/** The built-in roles, which are the same for all callers, compiled when a caller first has them. */
const compiledBaseRoles = new Map<string, CompiledRole>()

function compiledBaseRole(name: keyof typeof baseRoles): CompiledRole {
  let role = compiledBaseRoles.get(name)
  if (!role) compiledBaseRoles.set(name, (role = compileRole({ name, statements: baseRoles[name] })))
  return role
}

/** Compiles a grant together with other roles. Deleted roles grant nothing. */
function compileLayer(
  grant: Grant,
  rolesByKey: ReadonlyMap<string, Role>,
  roleAttributes: RoleAttributes,
  others: readonly CompiledRole[],
): CompiledPolicy {
  const compiled: CompiledRole[] = [...others]
  if (grant.statements) compiled.push(compileRole({ name: 'inline', statements: grant.statements }, { roleAttributes }))
  if (grant.role) compiled.push(compiledBaseRole(grant.role))
  for (const key of grant.customRoles ?? []) {
    const role = rolesByKey.get(key)
    if (role) compiled.push(compileRole({ name: key, statements: role.policy }, { roleAttributes }))
  }
  return compilePolicy(compiled)
}

/**
 * Reads all documents that the rights of a bearer depend on, and returns its caller.
 *
 * @returns undefined when the member of a personal bearer was deleted.
 */
export async function loadCaller(reads: Pick<StorageReads, 'getMany'>, bearer: Bearer): Promise<Caller | undefined> {
  let known = bearerDocuments([], [])
  // The documents of each read refer to those of the next one: a member to their teams, and teams to their roles.
  for (let previousIds = ''; ; ) {
    const ids = idsOfBearer(bearer, known)
    const currentIds = JSON.stringify(ids)
    if (currentIds === previousIds) return callerOf(bearer, known)
    previousIds = currentIds
    known = bearerDocuments(ids, await reads.getMany(ids))
  }
}
