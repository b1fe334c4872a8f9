import type { Statement } from '../../rules/policy/statement.ts'
import type { ActionsByKind } from '../../vocabulary/policy-kinds.ts'

/** The one action set: what a maintainer does. */
export const maintainTeam = 'maintainTeam'

export type TeamPermission = typeof maintainTeam | ActionsByKind['team']

const maintaining: readonly ActionsByKind['team'][] = [
  'viewTeam',
  'updateTeamName',
  'updateTeamDescription',
  'updateTeamMembers',
]

/** Who may do something to the team though none of their roles says so. There is one for each permission. */
export interface PermissionGrant {
  readonly permission: TeamPermission
  readonly memberIDs: readonly string[]
}

/** A team as far as its grants tell. */
interface Granting {
  readonly permissionGrants: readonly PermissionGrant[]
}

/** The actions that a permission stands for. */
export function actionsIn(permission: TeamPermission): readonly ActionsByKind['team'][] {
  return permission === maintainTeam ? maintaining : [permission]
}

/** Ids of the members who maintain a team, in the order in which they came to it. */
export function maintainersOf({ permissionGrants }: Granting): readonly string[] {
  return permissionGrants.find(({ permission }) => permission === maintainTeam)?.memberIDs ?? []
}

/** What the team's permission grants let a member do, as statements of a role. */
export function grantedStatements(team: Granting & { readonly key: string }, memberId: string): Statement[] {
  const held = team.permissionGrants.filter(({ memberIDs }) => memberIDs.includes(memberId))
  const actions = [...new Set(held.flatMap(({ permission }) => actionsIn(permission)))]
  return actions.length === 0 ? [] : [{ effect: 'allow', resources: [`team/${team.key}`], actions }]
}

/** Everybody whom a grant names. */
export function grantees(grants: readonly PermissionGrant[]): ReadonlySet<string> {
  return new Set(grants.flatMap(({ memberIDs }) => memberIDs))
}

/** Grants in which these members have these permissions as well. */
export function granting(
  grants: readonly PermissionGrant[],
  permissions: readonly TeamPermission[],
  memberIDs: readonly string[],
): readonly PermissionGrant[] {
  if (memberIDs.length === 0) return grants
  const before = new Map(grants.map((one) => [one.permission, one.memberIDs]))
  for (const permission of permissions) {
    before.set(permission, [...new Set([...(before.get(permission) ?? []), ...memberIDs])])
  }
  return [...before].map(([permission, ids]) => ({ permission, memberIDs: ids }))
}

/**
 * Grants in which these members no longer have these permissions; a grant to nobody is dropped.
 *
 * @param permissions default: all.
 */
export function revoking(
  grants: readonly PermissionGrant[],
  memberIDs: readonly string[],
  permissions: readonly TeamPermission[] = grants.map((one) => one.permission),
): readonly PermissionGrant[] {
  const kept = (one: PermissionGrant): PermissionGrant =>
    permissions.includes(one.permission)
      ? { ...one, memberIDs: one.memberIDs.filter((id) => !memberIDs.includes(id)) }
      : one
  return grants.map(kept).filter((one) => one.memberIDs.length > 0)
}
