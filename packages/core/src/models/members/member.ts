import type { BaseRole } from '../../rules/policy/base-roles.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** A person who acts on the account. */
export interface Member extends Versioned {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: BaseRole
  readonly customRoles: readonly string[]
  readonly roleAttributes: Readonly<Record<string, readonly string[]>>
  /**
   * The teams that the member belongs to. This is the one record of who is in which team: whoever looks up a member
   * finds the teams with it, and a team finds its members by the narrow row.
   */
  readonly teamKeys?: readonly string[]
  /** The teams in which the member has permissions of their own, as a maintainer has. */
  readonly managedTeamKeys?: readonly string[]
  readonly createdAt: number
}

export const members = documents<Member>()({
  name: 'member',
  address: 'member/{memberId}',
  fields: ({ email, firstName, lastName, role, teamKeys, createdAt }) => ({
    email: emailKey(email),
    firstName,
    lastName,
    role,
    teamKeys: teamKeys ?? [],
    createdAt,
  }),
  changes: {
    id: null,
    email: null,
    firstName: 'updateMember',
    lastName: 'updateMember',
    role: 'updateRole',
    customRoles: 'updateCustomRole',
    roleAttributes: 'updateRoleAttributes',
    // Follows from a change of the team, which asks for the right to that.
    teamKeys: null,
    managedTeamKeys: null,
    createdAt: null,
  },
})

/**
 * Holds an e-mail address for one member: of two that are made at once with the same one, the second finds it taken.
 * The owner who came with the account has none, so lists are asked as well.
 */
export interface MemberEmail extends Versioned {
  readonly memberId: string
}

export const memberEmails = documents<MemberEmail>()({ name: 'member-email', address: 'member-email/{email}' })

/** What tells addresses apart: case does not. */
export function emailKey(email: string): string {
  return email.toLowerCase()
}
