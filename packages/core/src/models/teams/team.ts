import { documents, type Versioned } from '../../storage/collection.ts'
import type { PermissionGrant } from './permission.ts'

/** Members who share roles. Who belongs to it stands with the members, so that a caller is found with their teams. */
export interface Team extends Versioned {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly customRoles: readonly AppliedRole[]
  readonly roleAttributes: Readonly<Record<string, readonly string[]>>
  readonly permissionGrants: readonly PermissionGrant[]
  readonly membership: Membership
  readonly createdAt: number
  readonly lastModified: number
}

export interface AppliedRole {
  readonly key: string
  /** Since when the team has it, integer ms. */
  readonly appliedOn: number
}

/** Moves with every change of who belongs to the team: so two changes at once are seen, and counting costs nothing. */
export interface Membership {
  readonly size: number
  readonly changes: number
}

export type TeamKeys = Readonly<Record<'teamKey', string>>

export const teams = documents<Team>()({
  name: 'team',
  address: 'team/{teamKey}',
  fields: ({ name, description, createdAt, lastModified }) => ({ name, description, createdAt, lastModified }),
  changes: {
    key: null,
    name: 'updateTeamName',
    description: 'updateTeamDescription',
    customRoles: 'updateTeamCustomRoles',
    roleAttributes: 'updateTeamRoleAttributes',
    permissionGrants: 'updateTeamPermissionGrants',
    membership: 'updateTeamMembers',
    createdAt: null,
    lastModified: null,
  },
})

/** A team whose membership has changed by so many. */
export function resized(team: Team, by: number, now: number): Team {
  const { size, changes } = team.membership
  return { ...team, membership: { size: size + by, changes: changes + 1 }, lastModified: now }
}
