import type { Statement } from '../../rules/policy/statement.ts'
import type { ActionsByKind } from '../../vocabulary/policy-kinds.ts'

/** The only action set: the actions of a maintainer. */
export const maintainTeam = 'maintainTeam'

export type TeamPermission = typeof maintainTeam | ActionsByKind['team']

const maintainerActions: readonly ActionsByKind['team'][] = [
  'viewTeam',
  'updateTeamName',
  'updateTeamDescription',
  'updateTeamMembers',
]

/**
 * Members who may do something to the team although none of their roles allows it. A team has one grant for each
 * permission.
 */
export interface PermissionGrant {
  readonly permission: TeamPermission
  readonly memberIDs: readonly string[]
}

/** The part of a team that contains its permission grants. */
interface WithPermissionGrants {
  readonly permissionGrants: readonly PermissionGrant[]
}

/** Returns the actions that a permission contains. */
export function actionsOfPermission(permission: TeamPermission): readonly ActionsByKind['team'][] {
  return permission === maintainTeam ? maintainerActions : [permission]
}

/** Returns the ids of the maintainers of a team, in the order in which they were added. */
export function maintainersOf({ permissionGrants }: WithPermissionGrants): readonly string[] {
  return permissionGrants.find(({ permission }) => permission === maintainTeam)?.memberIDs ?? []
}

/** Returns the statements that the permission grants of a team add to the role of a member. */
export function grantedStatements(
  team: WithPermissionGrants & { readonly key: string },
  memberId: string,
): Statement[] {
  const ownGrants = team.permissionGrants.filter(({ memberIDs }) => memberIDs.includes(memberId))
  const actions = [...new Set(ownGrants.flatMap(({ permission }) => actionsOfPermission(permission)))]
  return actions.length === 0 ? [] : [{ effect: 'allow', resources: [`team/${team.key}`], actions }]
}

/** Returns the ids of all members that the grants name. */
export function grantees(grants: readonly PermissionGrant[]): ReadonlySet<string> {
  return new Set(grants.flatMap(({ memberIDs }) => memberIDs))
}

/** Returns the grants with these permissions added for these members. */
export function withGrants(
  grants: readonly PermissionGrant[],
  permissions: readonly TeamPermission[],
  memberIDs: readonly string[],
): readonly PermissionGrant[] {
  if (memberIDs.length === 0) return grants
  const membersByPermission = new Map(grants.map((grant) => [grant.permission, grant.memberIDs]))
  for (const permission of permissions) {
    membersByPermission.set(permission, [...new Set([...(membersByPermission.get(permission) ?? []), ...memberIDs])])
  }
  return [...membersByPermission].map(([permission, ids]) => ({ permission, memberIDs: ids }))
}

/**
 * Returns the grants with these permissions removed from these members. Grants without members are dropped.
 *
 * @param permissions default: all permissions.
 */
export function withoutGrants(
  grants: readonly PermissionGrant[],
  memberIDs: readonly string[],
  permissions: readonly TeamPermission[] = grants.map((grant) => grant.permission),
): readonly PermissionGrant[] {
  const withoutMembers = (grant: PermissionGrant): PermissionGrant =>
    permissions.includes(grant.permission)
      ? { ...grant, memberIDs: grant.memberIDs.filter((id) => !memberIDs.includes(id)) }
      : grant
  return grants.map(withoutMembers).filter((grant) => grant.memberIDs.length > 0)
}
