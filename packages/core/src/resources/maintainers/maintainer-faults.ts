import type { Maintained } from '../../models/maintainers/maintainer.ts'
import type { Fault } from '../../operation/errors.ts'
import { type NamedFault, validateReferences } from '../../operation/references.ts'
import type { Reader } from '../../storage/reader.ts'
import { memberReference } from '../members/member-reference.ts'
import { teamReference } from '../teams/team-reference.ts'

/** What is wrong with the maintainer that a caller gives: one of the two at most, and there must be such a one. */
export async function maintainerFaults(tx: Reader, given: Maintained): Promise<readonly Fault[]> {
  const faults = await missingMaintainers(tx, given)
  if (given.maintainerId === undefined || given.maintainerTeamKey === undefined) return faults
  const reason = 'must be left out where a member is the maintainer'
  return [...faults, { attribute: 'maintainerTeamKey', reason }]
}

/** The same of a thing that tells by itself that it has one at most: there must be such a member or team. */
export function missingMaintainers(
  tx: Reader,
  { maintainerId, maintainerTeamKey }: Maintained,
): Promise<NamedFault<keyof Maintained>[]> {
  return validateReferences(tx, [
    ...(maintainerId === undefined ? [] : [memberReference('maintainerId', maintainerId)]),
    ...(maintainerTeamKey === undefined ? [] : [teamReference('maintainerTeamKey', maintainerTeamKey)]),
  ])
}
