import { members } from '../../models/members/member.ts'
import { type Reference, reference } from '../../operation/references.ts'

/** Returns a reference to a member by id, for validation. */
export function memberReference<const Attribute extends string>(
  attribute: Attribute,
  memberId: string,
): Reference<Attribute> {
  return reference(attribute, members, { memberId }, 'must be the id of a member')
}
