import * as v from 'valibot'
import { type NewInvitation, newInvitation } from '../../models/members/invite.ts'
import { emailKey, memberEmails, members } from '../../models/members/member.ts'
import { joinTeams } from '../../models/teams/join-teams.ts'
import { jsonBody } from '../../operation/body.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { list } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import type { Reader } from '../../storage/reader.ts'
import { requireGrantableBaseRoles, requireGrantableRoles } from './grantable-roles.ts'
import { distinctKeys, invitedMemberResponse, memberSettings, serializeInvitedMember } from './member-schema.ts'
import { undoMembers } from './undo-members.ts'

const settings = memberSettings.entries

const memberRequest = v.strictObject({
  email: v.pipe(
    v.string(),
    v.maxLength(254, 'must have at most 254 characters'),
    v.regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
  ),
  role: v.optional(settings.role, 'reader'),
  customRoles: v.optional(settings.customRoles, []),
  firstName: v.optional(settings.firstName, ''),
  lastName: v.optional(settings.lastName, ''),
  teamKeys: v.optional(distinctKeys(), []),
  roleAttributes: v.optional(settings.roleAttributes, {}),
})

const memberRequests = v.pipe(
  v.array(memberRequest),
  v.minLength(1, 'must contain at least 1 member'),
  v.maxLength(50, 'must contain at most 50 members'),
  v.check(
    (requests) => new Set(requests.map((request) => emailKey(request.email))).size === requests.length,
    'must not repeat an email',
  ),
)

export const createMembers = operation({
  id: 'createMembers',
  undo: [undoOf(members, undoMembers)],
  summary: 'Invite members, all of them or none; only this response contains the links of the invitations',
  method: 'POST',
  path: '/api/v2/members',
  body: jsonBody(memberRequests),
  success: { status: 201, body: v.object({ items: list(invitedMemberResponse) }) },
  errors: ['invalid_request', 'forbidden', 'optimistic_locking_error'],
  access: { action: 'createMember', resource: 'member/*' },
  async handle(context, { body }) {
    const { tx } = context
    const host = context.useHost()
    const now = context.readClock()
    const taken = (email: string) =>
      context.fail('optimistic_locking_error', { message: `There is a member with the email ${email} already` })
    await requireFreeEmails(
      context,
      body.map((request) => request.email),
      taken,
    )
    requireGrantableBaseRoles(
      context,
      body.map((request) => request.role),
    )
    await requireGrantableRoles(
      context,
      keysInRequests(body, 'customRoles').map(([attribute, roleKey]) => ({ attribute, roleKey })),
    )
    await joinTeams(
      context,
      keysInRequests(body, 'teamKeys').map(([attribute, teamKey]) => ({ attribute, teamKey })),
    )
    const expiresAt = now + context.options.invitationMs
    const invitations = await Promise.all(body.map((request) => newInvitation(host, request, expiresAt)))
    const created = body.map((request, i) => {
      const memberId = host.newId()
      tx.insert(memberEmails, { email: emailKey(request.email) }, { memberId }, () => taken(request.email))
      const { stored } = invitations[i] as NewInvitation
      return tx.insert(members, { memberId }, { ...request, id: memberId, createdAt: now, ...stored })
    })
    const items = created.map((member, i) => serializeInvitedMember(context, member, invitations[i] as NewInvitation))
    return { items: await Promise.all(items) }
  },
})

async function requireFreeEmails(
  { tx }: Pick<Context<Reader, never>, 'tx'>,
  emails: readonly string[],
  taken: (email: string) => never,
) {
  const where = [{ op: 'anyOf', field: 'email', values: emails.map(emailKey) }] as const
  const [first] = (await tx.list(members, {}, { where, limit: 1 })).items
  if (first) taken(first.email)
}

/** Returns the keys in a list property of each request, with the path of each key. */
function keysInRequests<Name extends string>(
  requests: readonly Readonly<Record<Name, readonly string[]>>[],
  name: Name,
): [attribute: string, key: string][] {
  return requests.flatMap((request, i) => request[name].map((key, j): [string, string] => [`${i}.${name}.${j}`, key]))
}
