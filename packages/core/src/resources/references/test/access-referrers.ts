import type { DeletableTarget } from './deletable-targets.ts'
import { newOAuthClient, newOAuthGrant } from './oauth-documents.ts'
import type { ReferenceAccount } from './reference-account.ts'
import { type CreatedDocument, far, type NamedReferrers, newFlag, newWorkflow, production, web } from './referrer.ts'

/** Makes a token with the target as its role, calls `make` with the token, and deletes the token. */
async function asRoleHolder<T>(
  account: ReferenceAccount,
  { text }: DeletableTarget,
  make: (token: string) => Promise<T>,
) {
  const { call } = account
  const { _id, token } = await call<CreatedDocument>('createToken', {
    body: { serviceToken: true, customRoleIds: [text] },
  })
  const referrer = await make(token)
  await call('deleteToken', { id: _id })
  return referrer
}

/** Makes an approval request for a flag, one for a segment and two for an AI config. */
async function newRequests(account: ReferenceAccount, more: object, caller?: string) {
  const { call } = account
  await newFlag(account, 'host')
  await call('createSegment', { ...production, body: { key: 'hosts', name: 'hosts' } })
  const variation = { key: 'short', name: 'Short' }
  await call('createAIConfig', { ...web, body: { key: 'assistant', name: 'x', defaultVariation: variation } })
  const requests = [
    { resourceId: 'proj/web:env/production:flag/host', instructions: [{ kind: 'turnFlagOn' }] },
    {
      resourceId: 'proj/web:env/production:segment/hosts',
      instructions: [{ kind: 'addIncludedTargets', contextKind: 'user', values: ['ann'] }],
    },
    { resourceId: 'proj/web:env/production:aiconfig/assistant', instructions: [{ kind: 'turnFlagOn' }] },
    { resourceId: 'proj/web:aiconfig/assistant', instructions: [{ kind: 'updateAIConfig', name: 'y' }] },
  ]
  const ids: string[] = []
  for (const request of requests) {
    const { _id } = await call<CreatedDocument>(
      'createApprovalRequest',
      { body: { description: 'x', ...request, ...more } },
      caller,
    )
    ids.push(_id)
  }
  return () => Promise.all(ids.map((id) => call('getApprovalRequest', { id })))
}

/** Referrers that refer to roles, members and teams, and OAuth referrers. */
export const accessReferrers: NamedReferrers = [
  [
    'token grant.customRoles -> role',
    async ({ call }, { text }) => {
      const { _id } = await call<CreatedDocument>('createToken', { body: { customRoleIds: [text] } })
      return () => call('getToken', { id: _id })
    },
  ],
  [
    'token ceiling.customRoles -> role',
    async (account, target) => {
      await asRoleHolder(account, target, (token) =>
        account.call('createToken', { body: { serviceToken: true, role: 'reader' } }, token),
      )
      return undefined
    },
  ],
  [
    'member customRoles -> role',
    async ({ call }, { text }) => {
      const body = [{ email: 'bob@example.com', role: 'reader', customRoles: [text] }]
      const { items } = await call<{ items: CreatedDocument[] }>('createMembers', { body })
      return () => call('getMember', { id: items[0]?._id })
    },
  ],
  [
    'team customRoles.key -> role',
    async ({ call }, { text }) => {
      await call('createTeam', { body: { key: 'hosts', name: 'hosts', customRoleKeys: [text] } })
      return () => call('getTeam', { teamKey: 'hosts', expand: 'roles' })
    },
  ],
  [
    'scheduled-change mandate.grants.customRoles -> role',
    async (account, target) => {
      const flag = await newFlag(account, 'host')
      const body = { executionDate: far, instructions: [{ kind: 'turnFlagOn' }] }
      await asRoleHolder(account, target, (token) =>
        account.call('createScheduledChange', { ...flag, environmentKey: 'production', body }, token),
      )
      return undefined
    },
  ],
  [
    'workflow mandate.grants.customRoles -> role',
    async (account, target) => {
      const flag = { ...(await newFlag(account, 'host')), environmentKey: 'production' }
      await asRoleHolder(account, target, (token) => newWorkflow(account, flag, [{ kind: 'turnFlagOn' }], token))
      return undefined
    },
  ],
  [
    'flag-trigger mandate.grants.customRoles -> role',
    async (account, target) => {
      const flag = await newFlag(account, 'host')
      const body = { integrationKey: 'generic-trigger' }
      await asRoleHolder(account, target, (token) =>
        account.call('createFlagTrigger', { ...flag, environmentKey: 'production', body }, token),
      )
      return undefined
    },
  ],
  [
    'relay-config policyLimits.customRoles -> role',
    async (account, target) => {
      const body = { name: 'Europe', policy: [] }
      await asRoleHolder(account, target, async (token) => {
        const { _id: id } = await account.call<CreatedDocument>('postRelayAutoConfig', { body }, token)
        // The rights of the receiver of the old key are stored too.
        await account.call('resetRelayAutoConfig', { id, expiry: far }, token)
      })
      return undefined
    },
  ],
  [
    'approval-request mandate.grants.customRoles -> role',
    async (account, target) => {
      await asRoleHolder(account, target, (token) => newRequests(account, { executionDate: far }, token))
      return undefined
    },
  ],
  [
    'oauth-client clientCredentials.scopes -> role',
    async (account, { text }) => {
      const clientId = await newOAuthClient(account, [text])
      return () => account.call('getOAuthClient', { clientId })
    },
  ],
  [
    'oauth-client clientCredentials.mandate.grants.customRoles -> role',
    async (account, target) => {
      await asRoleHolder(account, target, (token) => newOAuthClient(account, ['reader'], token))
      return undefined
    },
  ],
  [
    'oauth-grant scopes -> role',
    async (account, { text }) => {
      const grantId = await newOAuthGrant(account, await newOAuthClient(account), [text])
      return () => account.call('getOAuthGrant', { grantId })
    },
  ],
  [
    'oauth-grant limits.customRoles -> role',
    async (account, { text }) => {
      const clientId = await newOAuthClient(account)
      const { _id: id, token } = await account.call<CreatedDocument>('createToken', { body: { customRoleIds: [text] } })
      await newOAuthGrant(account, clientId, ['reader'], token)
      await account.call('deleteToken', { id })
      return undefined
    },
  ],
  [
    'oauth-grant clientId -> oauth-client',
    async (account, { text }) => {
      const grantId = await newOAuthGrant(account, text)
      return () => account.call('getOAuthGrant', { grantId })
    },
  ],
  [
    'oauth-grant memberId -> member',
    async (account, { text }) => {
      const caller = { role: 'admin', memberId: text } as const
      const grantId = await newOAuthGrant(account, await newOAuthClient(account), ['reader'], caller)
      return () => account.call('getOAuthGrant', { grantId })
    },
  ],
  [
    'member teamKeys -> team',
    async ({ call }, { text }) => {
      const body = [{ email: 'bob@example.com', role: 'reader', teamKeys: [text] }]
      const { items } = await call<{ items: CreatedDocument[] }>('createMembers', { body })
      return () => call('getMember', { id: items[0]?._id })
    },
  ],
  [
    'member managedTeamKeys -> team',
    async ({ call, ownerId }, { text }) => {
      const instructions = [{ kind: 'addPermissionGrants', actionSet: 'maintainTeam', memberIDs: [ownerId] }]
      await call('patchTeam', { teamKey: text, body: { instructions } })
      return undefined
    },
  ],
  [
    'flag-followers since -> member',
    async ({ call }, { text }) => {
      await call('createFlag', { projectKey: 'web', body: { key: 'followed', name: 'x' } })
      const flag = { projectKey: 'web', flagKey: 'followed', environmentKey: 'production' }
      await call('putFlagFollower', { ...flag, memberId: text })
      return () => call('getFlagFollowers', flag)
    },
  ],
  [
    'team permissionGrants.memberIDs -> member',
    async ({ call }, { text }) => {
      const permissionGrants = [{ actionSet: 'maintainTeam', memberIDs: [text] }]
      await call('createTeam', { body: { key: 'hosts', name: 'hosts', permissionGrants } })
      return () => call('getTeam', { teamKey: 'hosts', expand: 'maintainers' })
    },
  ],
  [
    'approval-request notifyMemberIds -> member',
    (account, { text }) => newRequests(account, { notifyMemberIds: [text] }),
  ],
  ['approval-request notifyTeamKeys -> team', (account, { text }) => newRequests(account, { notifyTeamKeys: [text] })],
]
