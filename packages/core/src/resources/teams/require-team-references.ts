import { actionsOfPermission, type PermissionGrant } from '../../models/teams/permission.ts'
import { type Team, teams } from '../../models/teams/team.ts'
import type { Context } from '../../operation/context.ts'
import { validateReferences } from '../../operation/references.ts'
import type { Reader } from '../../storage/reader.ts'
import { type ReferencedRole, requireGrantableRoles } from '../members/grantable-roles.ts'
import { memberReference } from '../members/member-reference.ts'

/** A member in a request, and the path of the property that names them. */
export interface ReferencedMember {
  readonly attribute: string
  readonly memberId: string
}

/** The members and roles that a request adds to a team. */
export interface TeamReferences {
  readonly members: readonly ReferencedMember[]
  readonly roles: readonly ReferencedRole[]
}

/**
 * Rejects members and roles that do not exist, and then references that would grant more than the caller has: roles
 * that allow more, and permissions on the team that the caller lacks
 * (docs/decisions/0019-require-the-rights-of-a-role-to-assign-it.md).
 *
 * @param before the previous permission grants.
 * @throws ApiError `invalid_request` with each unknown reference; `forbidden`.
 */
export async function requireTeamReferences(
  context: Context<Reader, 'invalid_request' | 'forbidden'>,
  team: Team,
  before: readonly PermissionGrant[],
  references: TeamReferences,
): Promise<void> {
  await requireMembers(context, references.members)
  await requireGrantableRoles(context, references.roles)
  for (const grant of team.permissionGrants)
    if (addsMembers(grant, before)) await requirePermission(context, team, grant)
}

async function requireMembers(
  context: Context<Reader, 'invalid_request'>,
  references: readonly ReferencedMember[],
): Promise<void> {
  const memberReferences = references.map(({ attribute, memberId }) => memberReference(attribute, memberId))
  const errors = await validateReferences(context.tx, memberReferences)
  if (errors.length > 0) context.fail('invalid_request', { errors })
}

function addsMembers({ permission, memberIDs }: PermissionGrant, before: readonly PermissionGrant[]): boolean {
  const previousIds = before.find((grant) => grant.permission === permission)?.memberIDs ?? []
  return memberIDs.some((id) => !previousIds.includes(id))
}

async function requirePermission(
  context: Context<Reader, 'forbidden'>,
  team: Team,
  { permission }: PermissionGrant,
): Promise<void> {
  for (const action of actionsOfPermission(permission)) {
    if (await context.allowed(action, teams, { teamKey: team.key }, team)) continue
    context.fail('forbidden', {
      message: `Forbidden. The caller may not ${action}, and so cannot grant it to others.`,
    })
  }
}
