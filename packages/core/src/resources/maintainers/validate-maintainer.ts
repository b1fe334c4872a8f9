import type { MaintainerReference } from '../../models/maintainers/maintainer.ts'
import type { ValidationError } from '../../operation/errors.ts'
import { type InvalidReference, validateReferences } from '../../operation/references.ts'
import type { Reader } from '../../storage/reader.ts'
import { memberReference } from '../members/member-reference.ts'
import { teamReference } from '../teams/team-reference.ts'

/** Validates the maintainer of a request: at most one of the two properties, and the member or team must exist. */
export async function validateMaintainer(
  tx: Reader,
  maintained: MaintainerReference,
): Promise<readonly ValidationError[]> {
  const errors = await validateMaintainerExists(tx, maintained)
  if (maintained.maintainerId === undefined || maintained.maintainerTeamKey === undefined) return errors
  const reason = 'must be left out when a member is the maintainer'
  return [...errors, { attribute: 'maintainerTeamKey', reason }]
}

/** Validates that the maintainer exists, for resources whose schema allows at most one of the two properties. */
export function validateMaintainerExists(
  tx: Reader,
  { maintainerId, maintainerTeamKey }: MaintainerReference,
): Promise<InvalidReference<keyof MaintainerReference>[]> {
  return validateReferences(tx, [
    ...(maintainerId === undefined ? [] : [memberReference('maintainerId', maintainerId)]),
    ...(maintainerTeamKey === undefined ? [] : [teamReference('maintainerTeamKey', maintainerTeamKey)]),
  ])
}
