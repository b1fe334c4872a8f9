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
    const readable = allActions.filter((entry) => entry.action.startsWith('view') && entry.action !== 'viewSdkKey')
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

  it('needs no attributes, so that none are loaded for a decision', () => {
    for (const [name, statements] of Object.entries(baseRoles)) {
      expect(compilePolicy([compileRole({ name, statements })]).needs.size).toBe(0)
    }
  })
})
