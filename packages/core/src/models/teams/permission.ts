import type { Statement } from '../../rules/policy/statement.ts'
import type { ActionsByKind } from '../../vocabulary/policy-kinds.ts'

/** The only action set: the actions of a maintainer. */
export const maintainTeam = 'maintainTeam'

export type TeamPermission = typeof maintainTeam | ActionsByKind['team']

const maintaining: readonly ActionsByKind['team'][] = [
  'viewTeam',
  'updateTeamName',
  'updateTeamDescription',
  'updateTeamMembers',
]

/**
 * Members who may do something to the team although none of their roles allows it. There is one grant for each
 * permission.
 */
export interface PermissionGrant {
  readonly permission: TeamPermission
  readonly memberIDs: readonly string[]
}

/** A team as far as its grants tell. */
interface Granting {
  readonly permissionGrants: readonly PermissionGrant[]
}

/** Returns the actions that a permission stands for. */
export function actionsIn(permission: TeamPermission): readonly ActionsByKind['team'][] {
  return permission === maintainTeam ? maintaining : [permission]
}

/** Returns the ids of the maintainers of a team, in the order in which they were added. */
export function maintainersOf({ permissionGrants }: Granting): readonly string[] {
  return permissionGrants.find(({ permission }) => permission === maintainTeam)?.memberIDs ?? []
}

/** Returns what the permission grants of a team allow a member, as statements of a role. */
export function grantedStatements(team: Granting & { readonly key: string }, memberId: string): Statement[] {
  const held = team.permissionGrants.filter(({ memberIDs }) => memberIDs.includes(memberId))
  const actions = [...new Set(held.flatMap(({ permission }) => actionsIn(permission)))]
  return actions.length === 0 ? [] : [{ effect: 'allow', resources: [`team/${team.key}`], actions }]
}

/** Returns the ids of all members that the grants name. */
export function grantees(grants: readonly PermissionGrant[]): ReadonlySet<string> {
  return new Set(grants.flatMap(({ memberIDs }) => memberIDs))
}

/** Returns the grants with these permissions added for these members. */
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
 * Returns the grants with these permissions removed from these members. Grants without members are dropped.
 *
 * @param permissions default: all permissions.
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
