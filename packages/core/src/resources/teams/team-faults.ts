import type { Team } from '../../models/teams/team.ts'
import { parse } from '../../operation/schema.ts'
import type { Fault } from '../../rules/json-guard.ts'
import { teamSettings } from './team-wire.ts'

const mostRoles = 100
const mostGrantees = 1000

/** What is too much in a team: instructions are checked one by one, and together they can come to more. */
export function teamFaults({ customRoles, permissionGrants, roleAttributes }: Team): Fault[] {
  const attributes = parse(teamSettings.entries.roleAttributes, roleAttributes)
  const faults: Fault[] = attributes.ok
    ? []
    : attributes.faults.map(({ reason }) => ({ attribute: 'roleAttributes', reason }))
  if (customRoles.length > mostRoles) {
    faults.push({ attribute: 'customRoles', reason: `must hold at most ${mostRoles} roles` })
  }
  if (permissionGrants.some(({ memberIDs }) => memberIDs.length > mostGrantees)) {
    faults.push({ attribute: 'permissionGrants', reason: `must name at most ${mostGrantees} members for a permission` })
  }
  return faults
}
