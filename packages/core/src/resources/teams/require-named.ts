import { actionsIn, type PermissionGrant } from '../../models/teams/permission.ts'
import { type Team, teams } from '../../models/teams/team.ts'
import type { Context } from '../../operation/context.ts'
import { validateReferences } from '../../operation/references.ts'
import type { Reader } from '../../storage/reader.ts'
import { type NamedRole, requireGivableRoles } from '../members/give-roles.ts'
import { memberReference } from '../members/member-reference.ts'

/** A member in a request, and the path of the property that names them. */
export interface NamedMember {
  readonly attribute: string
  readonly memberId: string
}

/** The members and roles that a request adds to a team. */
export interface Named {
  readonly members: readonly NamedMember[]
  readonly roles: readonly NamedRole[]
}

/**
 * Refuses members and roles that do not exist, and then whatever would give more than the caller has: roles that allow
 * more, and permissions on the team that the caller lacks (docs/decisions/0019-require-the-rights-of-a-role-to-assign-it.md).
 *
 * @param before the grants that there were.
 * @throws ApiError `invalid_request` naming what is unknown; `forbidden`.
 */
export async function requireNamed(
  context: Context<Reader, 'invalid_request' | 'forbidden'>,
  team: Team,
  before: readonly PermissionGrant[],
  named: Named,
): Promise<void> {
  await requireMembers(context, named.members)
  await requireGivableRoles(context, named.roles)
  for (const grant of team.permissionGrants) if (isWider(grant, before)) await requirePermission(context, team, grant)
}

async function requireMembers(
  context: Context<Reader, 'invalid_request'>,
  named: readonly NamedMember[],
): Promise<void> {
  const references = named.map(({ attribute, memberId }) => memberReference(attribute, memberId))
  const errors = await validateReferences(context.tx, references)
  if (errors.length > 0) context.fail('invalid_request', { errors })
}

function isWider({ permission, memberIDs }: PermissionGrant, before: readonly PermissionGrant[]): boolean {
  const had = before.find((one) => one.permission === permission)?.memberIDs ?? []
  return memberIDs.some((id) => !had.includes(id))
}

async function requirePermission(
  context: Context<Reader, 'forbidden'>,
  team: Team,
  { permission }: PermissionGrant,
): Promise<void> {
  for (const action of actionsIn(permission)) {
    if (await context.allowed(action, teams, { teamKey: team.key }, team)) continue
    context.fail('forbidden', {
      message: `Forbidden. The caller may not ${action}, and so cannot grant it to others.`,
    })
  }
}
