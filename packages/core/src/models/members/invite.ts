import type { Host } from '../../operation/context.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import type { Member, MemberRights } from './member.ts'

/** A new invitation: the data that are stored with the member, and the code, which is shown once. */
export interface NewInvitation {
  readonly stored: Required<Pick<Member, 'invitation' | 'invitationHash'>>
  /** Secret code: 32 random bytes in hex. */
  readonly code: string
}

/** Makes an invitation of a member. Storing it invalidates an earlier one. */
export async function newInvitation(host: Host, member: MemberRights, expiresAt: number): Promise<NewInvitation> {
  const code = host.randomHex(32)
  const invitationHash = await host.sha256(code)
  return { stored: { invitation: { expiresAt, rights: rightsOf(member) }, invitationHash }, code }
}

/**
 * Returns true when a code is valid for the invitation of a member: it is the code of the last invitation, and the
 * rights of the member have not changed since.
 */
export async function isOpenedBy(host: Host, member: Member, code: string, now: number): Promise<boolean> {
  const { invitation, invitationHash } = member
  if (!invitation || invitationHash === undefined || invitation.expiresAt <= now) return false
  return (await host.sha256(code)) === invitationHash && jsonEqual(invitation.rights, rightsOf(member))
}

function rightsOf({ role, customRoles, teamKeys = [], managedTeamKeys = [] }: MemberRights): MemberRights {
  return { role, customRoles, teamKeys, managedTeamKeys }
}
