import { teams } from '../../models/teams/team.ts'
import { type Reference, reference } from '../../operation/references.ts'

/** Returns a reference to a team by key, for validation. */
export function teamReference<const Attribute extends string>(
  attribute: Attribute,
  teamKey: string,
): Reference<Attribute> {
  return reference(attribute, teams, { teamKey }, 'must be the key of a team')
}
