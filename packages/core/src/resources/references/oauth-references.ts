import { members } from '../../models/members/member.ts'
import { oauthClients } from '../../models/oauth-clients/oauth-client.ts'
import { oauthGrants, oauthTokens } from '../../models/oauth-grants/oauth-grant.ts'
import { customRolesOf } from '../../models/oauth-grants/scope.ts'
import { roles } from '../../models/roles/role.ts'
import type { Grant } from '../../operation/caller.ts'
import { type ReferenceRow, referenceRow } from '../../operation/reference-row.ts'

interface RoleKeys {
  readonly roleKey: string
}

const rolesOf = (keys: readonly string[]): RoleKeys[] => keys.map((roleKey) => ({ roleKey }))

const rolesOfGrants = (grants: readonly Grant[]): RoleKeys[] =>
  rolesOf(grants.flatMap(({ customRoles = [] }) => customRoles))

const grantsWithoutRole = (grants: readonly Grant[], { roleKey }: RoleKeys): Grant[] =>
  grants.map(({ customRoles, ...grant }) =>
    customRoles ? { ...grant, customRoles: customRoles.filter((key) => key !== roleKey) } : grant,
  )

const fewer = 'A scope without its role allows less.'
const limits = 'The rights of the caller were limited by the role, and are now limited without it.'
const ends = 'The tokens end with it.'

/** References of OAuth clients, and of the grants and tokens that they have. */
export const oauthReferences: readonly ReferenceRow[] = [
  referenceRow({
    from: oauthClients,
    property: 'clientCredentials.scopes',
    to: roles,
    rule: 'detach',
    why: fewer,
    targets: ({ clientCredentials }) => rolesOf(customRolesOf(clientCredentials?.scopes ?? [])),
    withoutReference({ clientCredentials, ...client }, { roleKey }) {
      const scopes = clientCredentials?.scopes.filter((scope) => scope !== roleKey) ?? []
      return clientCredentials ? { ...client, clientCredentials: { ...clientCredentials, scopes } } : client
    },
  }),
  referenceRow({
    from: oauthClients,
    property: 'clientCredentials.mandate.grants.customRoles',
    to: roles,
    rule: 'detach',
    why: limits,
    targets: ({ clientCredentials }) => rolesOfGrants(clientCredentials?.mandate.grants ?? []),
    withoutReference({ clientCredentials, ...client }, target) {
      if (!clientCredentials) return client
      const { mandate } = clientCredentials
      const grants = grantsWithoutRole(mandate.grants, target)
      return { ...client, clientCredentials: { ...clientCredentials, mandate: { ...mandate, grants } } }
    },
  }),
  referenceRow({
    from: oauthGrants,
    property: 'scopes',
    to: roles,
    rule: 'detach',
    why: fewer,
    targets: ({ scopes }) => rolesOf(customRolesOf(scopes)),
    withoutReference: (grant, { roleKey }) => ({ ...grant, scopes: grant.scopes.filter((scope) => scope !== roleKey) }),
  }),
  referenceRow({
    from: oauthGrants,
    property: 'limits.customRoles',
    to: roles,
    rule: 'detach',
    why: limits,
    targets: (grant) => rolesOfGrants(grant.limits),
    withoutReference: (grant, target) => ({ ...grant, limits: grantsWithoutRole(grant.limits, target) }),
  }),
  referenceRow({
    from: oauthGrants,
    property: 'clientId',
    to: oauthClients,
    rule: 'detach',
    why: ends,
    targets: ({ clientId }) => [{ clientId }],
    where: ({ clientId }) => [{ op: 'equals', field: 'clientId', value: clientId }],
    withoutReference: () => undefined,
    unchecked: true,
  }),
  referenceRow({
    from: oauthGrants,
    property: 'memberId',
    to: members,
    rule: 'detach',
    why: ends,
    targets: ({ memberId }) => [{ memberId }],
    where: ({ memberId }) => [{ op: 'equals', field: 'memberId', value: memberId }],
    withoutReference: () => undefined,
    unchecked: true,
  }),
  referenceRow({
    from: oauthTokens,
    property: 'id',
    to: oauthGrants,
    rule: 'remove',
    why: ends,
    targets: ({ id, code }) => (code ? [{ grantId: id }] : []),
    where: ({ grantId }) => [{ op: 'equals', field: 'id', value: grantId }],
    unchecked: true,
  }),
  referenceRow({
    from: oauthTokens,
    property: 'clientId',
    to: oauthClients,
    rule: 'remove',
    why: ends,
    targets: ({ clientId }) => [{ clientId }],
    where: ({ clientId }) => [{ op: 'equals', field: 'clientId', value: clientId }],
    unchecked: true,
  }),
]
