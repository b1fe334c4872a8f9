import * as v from 'valibot'
import { linkTo, path } from '../../operation/link.ts'
import { links } from '../../operation/schema.ts'
import type { Member } from './member.ts'

/** A member as other resources show it. */
export const memberSummaryWire = v.object({
  _links: links(),
  _id: v.string(),
  role: v.string(),
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
})

export function presentMemberSummary(member: Member): v.InferOutput<typeof memberSummaryWire> {
  return {
    _links: { self: linkTo(path`/api/v2/members/${member.id}`) },
    _id: member.id,
    role: member.role,
    email: member.email,
    firstName: member.firstName,
    lastName: member.lastName,
  }
}
