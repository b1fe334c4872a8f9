import type { Member } from '../../models/members/member.ts'
import { roles } from '../../models/roles/role.ts'
import { teams } from '../../models/teams/team.ts'
import type { Context } from '../../operation/context.ts'
import type { Reader } from '../../storage/reader.ts'
import { coversStatements } from '../members/role-coverage.ts'
import { baseRoles } from '../policy.ts'
import { memberGrant } from '../tokens/bearer.ts'

/**
 * Requires that the caller may do everything that a member may do, since the caller could use the link of the
 * invitation (docs/decisions/0019-require-the-rights-of-a-role-to-assign-it.md).
 *
 * @throws ApiError `forbidden`.
 */
export async function requireRightsOf(context: Context<Reader, 'forbidden'>, member: Member): Promise<void> {
  const teamKeys = [...new Set([...(member.teamKeys ?? []), ...(member.managedTeamKeys ?? [])])]
  const joined = await context.tx.getMany(
    teams,
    teamKeys.map((teamKey) => ({ teamKey })),
  )
  const grant = memberGrant(
    member,
    joined.filter((team) => team !== undefined),
  )
  const customRoles = await context.tx.getMany(
    roles,
    (grant.customRoles ?? []).map((roleKey) => ({ roleKey })),
  )
  const statements = [
    ...baseRoles[member.role],
    ...(grant.statements ?? []),
    ...customRoles.flatMap((role) => role?.policy ?? []),
  ]
  if (!coversStatements(context.caller.layers, statements))
    context.fail('forbidden', { message: 'Forbidden. The member may do more than the caller.' })
}
