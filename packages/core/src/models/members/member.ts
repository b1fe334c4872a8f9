import type { BaseRole } from '../../rules/policy/base-roles.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

/** A person who has access to the account. */
export interface Member extends Versioned {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: BaseRole
  readonly customRoles: readonly string[]
  readonly roleAttributes: Readonly<Record<string, readonly string[]>>
  /**
   * Keys of the teams of the member. Membership is stored only here: reading a member also reads its teams, and a team
   * lists its members through the indexed fields of the members.
   */
  readonly teamKeys?: readonly string[]
  /** Keys of the teams whose permission grants name the member, for example as a maintainer. */
  readonly managedTeamKeys?: readonly string[]
  readonly createdAt: number
  /** Present until the member accepts the invitation. */
  readonly invitation?: Invitation
  /** SHA-256 of the code of the invitation. */
  readonly invitationHash?: string
}

/** An invitation that the member has not accepted. */
export interface Invitation {
  /** Time from which the link of the invitation does not work: integer ms, UTC. */
  readonly expiresAt: number
  /**
   * The rights of the member when the link was made. The link becomes invalid when these rights change, because the
   * caller who made it may lack the right to grant the new rights.
   */
  readonly rights: MemberRights
}

/** The properties of a member that define their rights. */
export type MemberRights = Pick<Member, 'role' | 'customRoles' | 'teamKeys' | 'managedTeamKeys'>

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
  shown: {
    id: '_id',
    teamKeys: 'teamKeys',
    managedTeamKeys: null,
    invitation: null,
    createdAt: shownTime('creationDate'),
  },
  sentences: {
    name: ({ email }) => email,
    created: (_, { it }) => `invited ${it}`,
  },
  changes: {
    id: null,
    email: null,
    firstName: 'updateMember',
    lastName: 'updateMember',
    role: 'updateRole',
    customRoles: 'updateCustomRole',
    roleAttributes: 'updateRoleAttributes',
    // Changes only together with the team; the right to change the team covers it.
    teamKeys: null,
    managedTeamKeys: null,
    createdAt: null,
    invitation: null,
    invitationHash: null,
  },
  secrets: ['invitationHash'],
  // A member without the secret remains invited, and a new link can be made.
  withoutSecrets: { missing: (member) => member },
})

/**
 * Reserves an e-mail address for one member. When two members with the same address are created concurrently, the
 * second one fails. The owner who was created with the account has no reservation, so the list of members is checked
 * too.
 */
export interface MemberEmail extends Versioned {
  readonly memberId: string
}

export const memberEmails = documents<MemberEmail>()({
  name: 'member-email',
  recorded: true,
  address: 'member-email/{email}',
})

/** Returns the form in which addresses are compared: case is ignored. */
export function emailKey(email: string): string {
  return email.toLowerCase()
}

/** Returns the name of a member in sentences: first and last name, or the e-mail address of a member without a name. */
export function memberName({ firstName, lastName, email }: Pick<Member, 'firstName' | 'lastName' | 'email'>): string {
  return `${firstName} ${lastName}`.trim() || email
}
