import { describe, expect, it } from 'vitest'
import { actionsOf, baseRoles, compileRole, resourceShapes, validateStatements } from '../../resources/policy.ts'
import { parseAddress, type Resource } from '../address.ts'
import type { BaseRole } from './base-roles.ts'
import { compilePolicy, decide } from './policy.ts'
import { lastKind, specifierOf } from './vocabulary.ts'

function allows(role: BaseRole, action: string, address: string): boolean {
  const policy = compilePolicy([compileRole({ name: role, statements: baseRoles[role] })])
  return decide(policy, action, parseAddress(address) as Resource).allowed
}

/** Every action with every specifier that it applies to, such as `team/*` and `updateTeamName`. */
const allActions = resourceShapes.flatMap((shape) =>
  actionsOf(lastKind(shape)).map((action) => ({ action, address: specifierOf(shape) })),
)

function allowedTo(role: BaseRole): string[] {
  return allActions
    .filter((entry) => allows(role, entry.action, entry.address))
    .map((entry) => `${entry.action} ${entry.address}`)
}

/** Returns what a role may do with resources of a shape: `all`, `none`, `all but …` or `only …`. */
function rightsTo(shape: (typeof resourceShapes)[number], role: BaseRole): string {
  const actions: readonly string[] = actionsOf(lastKind(shape))
  const allowed = actions.filter((action) => allows(role, action, specifierOf(shape)))
  const denied = actions.filter((action) => !allowed.includes(action))
  if (denied.length === 0) return 'all'
  if (allowed.length === 0) return 'none'
  return allowed.length < denied.length ? `only ${allowed.join(', ')}` : `all but ${denied.join(', ')}`
}

/**
 * The rights of the base roles below admin to each shape of resource
 * (docs/decisions/0002-decide-access-by-policy.md#d16-tokens,
 * docs/decisions/0002-decide-access-by-policy.md#d33-approval-bypass). The test fails for a new shape, and for a new
 * action that one of these roles does not have, until a person has reviewed it.
 */
const reviewedRights: Readonly<Record<string, { readonly reader: string; readonly writer: string }>> = {
  acct: { reader: 'all but updateAccount', writer: 'all but updateAccount' },
  announcement: { reader: 'only viewAnnouncement', writer: 'all' },
  application: { reader: 'only viewApplication', writer: 'all' },
  'proj:env:application': { reader: 'only viewApplication', writer: 'all' },
  'code-reference-repository': { reader: 'only viewCodeReferenceRepository', writer: 'all' },
  integration: { reader: 'only viewIntegration', writer: 'all' },
  'ip-allowlist': { reader: 'only viewIpAllowlist', writer: 'only viewIpAllowlist' },
  member: { reader: 'only viewMember', writer: 'only viewMember' },
  'oauth-client': { reader: 'only viewOAuthClient', writer: 'only viewOAuthClient' },
  proj: { reader: 'only viewProject', writer: 'all' },
  'relay-proxy-config': { reader: 'only viewRelayProxyConfig', writer: 'all' },
  role: { reader: 'only viewRole', writer: 'only viewRole' },
  'service-token': { reader: 'only viewToken', writer: 'only viewToken' },
  'member:token': { reader: 'none', writer: 'none' },
  team: { reader: 'only viewTeam', writer: 'only viewTeam' },
  template: { reader: 'only viewTemplate', writer: 'all' },
  webhook: { reader: 'only viewWebhook', writer: 'all' },
  'proj:agent-graph': { reader: 'none', writer: 'all' },
  'proj:agent-optimization': { reader: 'none', writer: 'all' },
  'proj:agent-skill': { reader: 'none', writer: 'all' },
  'proj:ai-model-config': { reader: 'none', writer: 'all' },
  'proj:ai-tool': { reader: 'none', writer: 'all' },
  'proj:aiconfig': { reader: 'none', writer: 'all but bypassRequiredApproval' },
  'proj:commit': { reader: 'none', writer: 'all' },
  'proj:context-kind': { reader: 'none', writer: 'all' },
  'proj:env': { reader: 'none', writer: 'all but updateApprovalSettings' },
  'proj:layer': { reader: 'none', writer: 'all' },
  'proj:metric': { reader: 'none', writer: 'all' },
  'proj:metric-group': { reader: 'none', writer: 'all' },
  'proj:prompt-snippet': { reader: 'none', writer: 'all' },
  'proj:pull-request': { reader: 'none', writer: 'all' },
  'proj:release-pipeline': { reader: 'none', writer: 'all' },
  'proj:release-policy': { reader: 'none', writer: 'all' },
  'proj:repository': { reader: 'none', writer: 'all' },
  'proj:env:aiconfig': { reader: 'none', writer: 'all but bypassRequiredApproval' },
  'proj:env:context-instance': { reader: 'none', writer: 'all' },
  'proj:env:deployment': { reader: 'none', writer: 'all' },
  'proj:env:destination': { reader: 'none', writer: 'all' },
  'proj:env:experiment': { reader: 'none', writer: 'all' },
  'proj:env:flag-event': { reader: 'none', writer: 'all' },
  'proj:env:holdout': { reader: 'none', writer: 'all' },
  'proj:env:insight-group': { reader: 'none', writer: 'all' },
  'proj:env:lead-time-sample': { reader: 'none', writer: 'all' },
  'proj:env:product-analytics-dashboard': { reader: 'none', writer: 'all' },
  'proj:env:sdk-key': { reader: 'none', writer: 'all' },
  'proj:env:segment': { reader: 'none', writer: 'all but bypassRequiredApproval' },
  'proj:env:user': { reader: 'none', writer: 'all' },
  'proj:view': { reader: 'only viewView', writer: 'all' },
  'proj:env:flag': { reader: 'only viewFlagStatus', writer: 'all but bypassRequiredApproval' },
}

describe('baseRoles', () => {
  it('has valid statements', () => {
    for (const statements of Object.values(baseRoles)) expect(validateStatements(statements)).toEqual([])
  })

  it('has actions for every resource kind', () => {
    for (const shape of resourceShapes) expect(actionsOf(lastKind(shape)), shape).not.toEqual([])
    expect(actionsOf('constructor')).toEqual([])
  })

  it('allows everything to admin and owner, and nothing to no_access', () => {
    expect(allowedTo('admin')).toHaveLength(allActions.length)
    expect(allowedTo('owner')).toHaveLength(allActions.length)
    expect(allowedTo('no_access')).toEqual([])
  })

  it('allows a reader to view everything but secrets, and to change nothing', () => {
    // Members view their own tokens by another rule.
    const secrets = ['viewSdkKey proj/*:env/*', 'viewSdkKey proj/*:env/*:sdk-key/*', 'viewToken member/*:token/*']
    const readable = allActions.filter(
      ({ action, address }) => action.startsWith('view') && !secrets.includes(`${action} ${address}`),
    )
    expect(allowedTo('reader')).toEqual(readable.map((entry) => `${entry.action} ${entry.address}`))
    expect(allows('reader', 'viewSdkKey', 'proj/web:env/production')).toBe(false)
  })

  it.each([
    ['viewSdkKey', 'proj/web:env/production', true],
    ['updateOn', 'proj/web:env/production:flag/checkout', true],
    ['updateName', 'proj/web:env/*:flag/checkout', true],
    ['createProject', 'proj/web', true],
    ['createWebhook', 'webhook/1', true],
    ['viewMember', 'member/1', true],
    ['updateRole', 'member/1', false],
    ['createAccessToken', 'member/1:token/2', false],
    ['resetAccessToken', 'service-token/1', false],
    ['updatePolicy', 'role/ops', false],
    ['updateTeamMembers', 'team/growth', false],
    ['deleteOAuthClient', 'oauth-client/1', false],
    ['updateAccount', 'acct', false],
  ])('for a writer: %s on %s: %s', (action, address, expected) => {
    expect(allows('writer', action, address)).toBe(expected)
  })

  it('allows every role everything that the role below it allows', () => {
    const order: BaseRole[] = ['no_access', 'reader', 'writer', 'admin', 'owner']
    for (const [i, role] of order.slice(1).entries()) {
      expect(allowedTo(role)).toEqual(expect.arrayContaining(allowedTo(order[i] as BaseRole)))
    }
  })

  it('allows each role exactly the rights in the reviewed table', () => {
    const rights = resourceShapes.map((shape) => [
      shape,
      { reader: rightsTo(shape, 'reader'), writer: rightsTo(shape, 'writer') },
    ])
    const advice =
      'review the rights of each new shape, and list them in reviewedRights of packages/core/src/rules/policy/base-roles.test.ts'
    expect(Object.fromEntries(rights), advice).toEqual(reviewedRights)
  })

  it('allows only admin and owner to make changes without a required approval', () => {
    const decisive = allActions.filter(({ action }) => /^bypass|ApprovalSettings$/.test(action))
    expect(new Set(decisive.map(({ action }) => action))).toEqual(
      new Set(['bypassRequiredApproval', 'updateApprovalSettings']),
    )
    for (const role of Object.keys(baseRoles) as BaseRole[]) {
      const allowed = decisive.filter(({ action, address }) => allows(role, action, address))
      expect(allowed, role).toEqual(role === 'admin' || role === 'owner' ? decisive : [])
    }
  })

  it('needs no attributes, so that none are loaded for a decision', () => {
    for (const [name, statements] of Object.entries(baseRoles)) {
      expect(compilePolicy([compileRole({ name, statements })]).needs.size).toBe(0)
    }
  })
})
