import * as v from 'valibot'
import type { NewInvitation } from '../../models/members/invite.ts'
import { type Member, members } from '../../models/members/member.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, dictionary, key, links, list, timestamp } from '../../operation/schema.ts'
import type { BaseRole } from '../../rules/policy/base-roles.ts'
import { baseRoles } from '../policy.ts'

/** Summary of a member in the responses of other resources. */
export const memberSummaryResponse = v.object({
  _links: links(),
  _id: v.string(),
  role: v.string(),
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
})

/** A member in the responses of other resources. */
export type MemberSummary = v.InferOutput<typeof memberSummaryResponse>

export function serializeMemberSummary(member: Member): MemberSummary {
  return {
    _links: { self: linkTo(path`/api/v2/members/${member.id}`) },
    _id: member.id,
    role: member.role,
    email: member.email,
    firstName: member.firstName,
    lastName: member.lastName,
  }
}

const memberRoles = Object.keys(baseRoles) as BaseRole[]

/** Schema of keys of roles or teams in a request: distinct, at most 100. */
export const distinctKeys = () =>
  v.pipe(
    v.array(key()),
    v.maxLength(100, 'must contain at most 100 keys'),
    v.check((keys) => new Set(keys).size === keys.length, 'must not repeat a key'),
    v.readonly(),
  )

/** Schema of the values of one role attribute: distinct, at most 100. */
export const attributeValues = () =>
  v.pipe(
    v.array(
      v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256, 'must have at most 256 characters')),
    ),
    v.maxLength(100, 'must contain at most 100 values'),
    v.check((values) => new Set(values).size === values.length, 'must not repeat a value'),
    v.readonly(),
  )

/**
 * Schema of role attributes: the values that replace `${roleAttribute/name}` in policies, by name
 * (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 */
export const roleAttributes = () =>
  v.pipe(
    dictionary(key(), attributeValues()),
    v.check((attributes) => Object.keys(attributes).length <= 100, 'must contain at most 100 role attributes'),
  )

const personName = () => v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters'))

/** Properties of a member that a caller can set at creation and with a patch. */
export const memberSettings = v.object({
  role: v.picklist(memberRoles, `must be one of ${memberRoles.join(', ')}`),
  customRoles: distinctKeys(),
  firstName: personName(),
  lastName: personName(),
  roleAttributes: roleAttributes(),
})

const memberObject = v.object({
  ...memberSummaryResponse.entries,
  customRoles: list(v.string()),
  roleAttributes: v.record(v.string(), list(v.string())),
  teamKeys: list(v.string()),
  creationDate: timestamp(),
  /** True until the member accepts the invitation. */
  _pendingInvite: v.boolean(),
  _access: accessDetails(),
})

/** A member in a response. */
export interface MemberResponse extends v.InferOutput<typeof memberObject> {}

export const memberResponse: v.GenericSchema<MemberResponse> = memberObject

/** The invitation of a member. Only the response to the call that creates the invitation contains it. */
const invitationResponse = v.object({
  /** Path of the page on which the member accepts. The code is in the fragment, which browsers do not send. */
  href: v.string(),
  type: v.string(),
  code: v.string(),
  expiresAt: timestamp(),
})

export const invitedMemberResponse = v.object({ ...memberObject.entries, _invitation: invitationResponse })

export async function serializeMember(context: ReadContext, member: Member): Promise<MemberResponse> {
  return {
    ...serializeMemberSummary(member),
    _links: selfAndParent(path`/api/v2/members/${member.id}`, '/api/v2/members'),
    customRoles: member.customRoles,
    roleAttributes: member.roleAttributes,
    teamKeys: member.teamKeys ?? [],
    creationDate: context.format.time(member.createdAt),
    _pendingInvite: member.invitation !== undefined,
    _access: await context.access(members, { memberId: member.id }, member),
  }
}

/** Serializes a member with a new invitation. */
export async function serializeInvitedMember(
  context: ReadContext,
  member: Member,
  { stored, code }: NewInvitation,
): Promise<v.InferOutput<typeof invitedMemberResponse>> {
  const link = linkTo(`/invitation#${encodeURIComponent(member.id)}.${code}`, 'text/html')
  const expiresAt = context.format.time(stored.invitation.expiresAt)
  return { ...(await serializeMember(context, member)), _invitation: Object.assign(link, { code, expiresAt }) }
}
