import { members } from '../../models/members/member.ts'
import { type Reference, reference } from '../../operation/references.ts'

/** A member whom a request names by id. */
export function memberReference<const Attribute extends string>(
  attribute: Attribute,
  memberId: string,
): Reference<Attribute> {
  return reference(attribute, members, { memberId }, 'must be the id of a member')
}
