import type { Team } from '../../models/teams/team.ts'
import { parse } from '../../operation/schema.ts'
import type { Fault } from '../../rules/json-guard.ts'
import { teamSettings } from './team-wire.ts'

const mostRoles = 100
const mostGrantees = 1000

/**
 * Returns the errors of limits that a team exceeds. Each instruction is valid on its own, but several together can
 * exceed a limit.
 */
export function teamFaults({ customRoles, permissionGrants, roleAttributes }: Team): Fault[] {
  const attributes = parse(teamSettings.entries.roleAttributes, roleAttributes)
  const faults: Fault[] = attributes.ok
    ? []
    : attributes.faults.map(({ reason }) => ({ attribute: 'roleAttributes', reason }))
  if (customRoles.length > mostRoles) {
    faults.push({ attribute: 'customRoles', reason: `must contain at most ${mostRoles} roles` })
  }
  if (permissionGrants.some(({ memberIDs }) => memberIDs.length > mostGrantees)) {
    faults.push({ attribute: 'permissionGrants', reason: `must name at most ${mostGrantees} members for a permission` })
  }
  return faults
}
