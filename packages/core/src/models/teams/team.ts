import { counted } from '../../rules/sentences/sentence.ts'
import { keySentences } from '../../rules/targeting/targeting-sentences.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import type { PermissionGrant } from './permission.ts'

/**
 * A group of members who share roles. Membership is stored with the members, so that reading a caller also reads their
 * teams.
 */
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
  /** Time from which the team has the role, integer ms. */
  readonly appliedOn: number
}

/**
 * Number of members of the team. Each change of the members changes this number, so that concurrent changes conflict.
 * It also makes the count available without a query.
 */
export interface Membership {
  readonly size: number
  readonly changes: number
}

export type TeamKeys = Readonly<Record<'teamKey', string>>

export const teams = documents<Team>()({
  name: 'team',
  address: 'team/{teamKey}',
  fields: ({ name, description, createdAt, lastModified }) => ({ name, description, createdAt, lastModified }),
  shown: {
    customRoles: (roles, { time }) => ({
      roles: {
        totalCount: roles.length,
        items: roles.map(({ key, appliedOn }) => ({ key, appliedOn: time(appliedOn) })),
      },
    }),
    permissionGrants: null,
    membership: ({ size }) => ({ members: { totalCount: size } }),
    createdAt: shownTime('_creationDate'),
    lastModified: shownTime('_lastModified'),
  },
  sentences: {
    changed: {
      customRoles: (before, after, { it, nameOf }) => {
        const names = (team: Team) => team.customRoles.map(({ key }) => nameOf('role', key))
        return keySentences({ before: names(before), after: names(after) }, 'roles', it)
      },
      permissionGrants: ({ permissionGrants: before }, { permissionGrants: after }, { it }) => {
        const count = (grants: Team['permissionGrants']) =>
          grants.reduce((sum, { memberIDs }) => sum + memberIDs.length, 0)
        return count(after) < count(before) ? `revoked permissions for ${it}` : `granted permissions for ${it}`
      },
      membership: ({ membership: before }, { membership: after }, { it }) => {
        const added = after.size - before.size
        if (added === 0) return `replaced members of ${it}`
        return added > 0
          ? `added ${counted(added, 'members')} to ${it}`
          : `removed ${counted(-added, 'members')} from ${it}`
      },
    },
  },
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
  computed: ['membership'],
})

/** Returns the team with a changed number of members. */
export function resized(team: Team, delta: number, now: number): Team {
  const { size, changes } = team.membership
  return { ...team, membership: { size: size + delta, changes: changes + 1 }, lastModified: now }
}
