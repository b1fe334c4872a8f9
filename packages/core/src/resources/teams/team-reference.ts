import { type Reference, reference } from '../../operation/references.ts'
import { teams } from './team.ts'

/** A team that a request names by key. */
export function teamReference<const Attribute extends string>(
  attribute: Attribute,
  teamKey: string,
): Reference<Attribute> {
  return reference(attribute, teams, { teamKey }, 'must be the key of a team')
}
