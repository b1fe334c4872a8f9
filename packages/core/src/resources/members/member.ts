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
  readonly createdAt: number
}

export const members = documents<Member>()({
  name: 'member',
  address: 'member/{memberId}',
  fields: ({ email, role }) => ({ email, role }),
  changes: {
    id: null,
    email: 'updateMember',
    firstName: 'updateMember',
    lastName: 'updateMember',
    role: 'updateRole',
    customRoles: 'updateCustomRole',
    roleAttributes: 'updateMember',
    createdAt: null,
  },
})
