import type { Team } from '../../models/teams/team.ts'
import { parse } from '../../operation/schema.ts'
import type { ValidationError } from '../../rules/json-guard.ts'
import { teamSettings } from './team-schema.ts'

const maxRoles = 100
const maxGrantees = 1000

/**
 * Returns the errors of limits that a team exceeds. Each instruction is valid on its own, but several together can
 * exceed a limit.
 */
export function validateTeam({ customRoles, permissionGrants, roleAttributes }: Team): ValidationError[] {
  const attributes = parse(teamSettings.entries.roleAttributes, roleAttributes)
  const errors: ValidationError[] = attributes.ok
    ? []
    : attributes.errors.map(({ reason }) => ({ attribute: 'roleAttributes', reason }))
  if (customRoles.length > maxRoles) {
    errors.push({ attribute: 'customRoles', reason: `must contain at most ${maxRoles} roles` })
  }
  if (permissionGrants.some(({ memberIDs }) => memberIDs.length > maxGrantees)) {
    errors.push({ attribute: 'permissionGrants', reason: `must name at most ${maxGrantees} members for a permission` })
  }
  return errors
}
