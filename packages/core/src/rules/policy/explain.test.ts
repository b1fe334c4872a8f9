import { describe, expect, it } from 'vitest'
import { compileRole, explain } from '../../resources/policy.ts'
import { parseAddress, type Resource } from '../address.ts'
import { compilePolicy, decide } from './policy.ts'
import type { Statement } from './statement.ts'

function resource(address: string, env: Partial<Resource[number]> = {}): Resource {
  return (parseAddress(address) ?? []).map((level) => (level.kind === 'env' ? { ...level, ...env } : level))
}

function policyOf(roles: Readonly<Record<string, Statement[]>>) {
  return compilePolicy(Object.entries(roles).map(([name, statements]) => compileRole({ name, statements })))
}

const flagOn = { actions: ['updateOn'] }
const production = resource('proj/web:env/production:flag/checkout')

describe('explain', () => {
  it('names the statement that allows the action', () => {
    const policy = policyOf({ dev: [{ effect: 'allow', resources: ['proj/*:env/*:flag/*'], ...flagOn }] })
    expect(explain(policy, 'updateOn', production)).toEqual({
      ...decide(policy, 'updateOn', production),
      text: 'statement 1 of role `dev` allows `updateOn` on `proj/web:env/production:flag/checkout`',
      nearMisses: [],
      allowedForSome: true,
    })
  })

  it('names the statement that denies the action', () => {
    const policy = policyOf({
      ops: [
        { effect: 'allow', resources: ['proj/api:env/*:flag/*', 'proj/web:env/*:flag/*'], ...flagOn },
        { effect: 'deny', resources: ['proj/*:env/production:flag/*'], ...flagOn },
      ],
    })
    expect(explain(policy, 'updateOn', production)).toMatchObject({
      allowed: false,
      role: 'ops',
      index: 1,
      text: 'denied by statement 2 of role `ops`',
      nearMisses: [],
    })
  })

  it('distinguishes between an action that no role allows and one that no role allows on this resource', () => {
    const policy = policyOf({ dev: [{ effect: 'allow', resources: ['team/*'], actions: ['view*'] }] })
    expect(explain(policy, 'updateOn', production).text).toBe('no role allows `updateOn`')
    expect(explain(policy, 'viewTeam', production).text).toBe(
      'no role allows `viewTeam` on `proj/web:env/production:flag/checkout`',
    )
  })

  it('lists the missing attributes, the shortest list first', () => {
    const policy = policyOf({
      dev: [
        { effect: 'allow', resources: ['proj/*:env/*;{critical:false};eu;core:flag/*'], ...flagOn },
        { effect: 'allow', resources: ['proj/*:env/*;eu,qa:flag/*;view:x'], ...flagOn },
        { effect: 'allow', resources: ['proj/*:env/*;qa:flag/*'], ...flagOn },
      ],
    })
    const euProduction = resource('proj/web:env/production:flag/checkout', { tags: ['eu'] })
    expect(explain(policy, 'updateOn', euProduction)).toMatchObject({
      allowed: false,
      nearMisses: [
        'would be allowed if environment `production` had the tag `qa`',
        'would be allowed if environment `production` had the tag `core` and the property `critical` as `false`',
        'would be allowed if environment `production` had the tag `qa` and flag `checkout` had the view `x`',
      ],
    })
  })

  it('omits near misses that a deny would override', () => {
    const policy = policyOf({
      dev: [
        { effect: 'allow', resources: ['proj/*:env/*;qa:flag/*'], ...flagOn },
        { effect: 'deny', resources: ['proj/web:env/*:flag/*'], ...flagOn },
      ],
    })
    expect(explain(policy, 'updateOn', production)).toMatchObject({ text: 'denied by statement 2 of role `dev`' })
  })

  it('lists up to three specifiers that allow the action, each once', () => {
    function allowIn(env: string): Statement {
      return { effect: 'allow', resources: [`proj/web:env/${env}:flag/*`], ...flagOn }
    }
    const policy = policyOf({ dev: [allowIn('test'), allowIn('dev')], qa: [allowIn('qa'), allowIn('stage')] })
    expect(explain(policy, 'updateOn', production).text).toBe(
      'no role allows `updateOn` on `proj/web:env/production:flag/checkout`' +
        '; statement 1 of role `dev` allows it for `proj/web:env/test:flag/*`' +
        '; statement 2 of role `dev` allows it for `proj/web:env/dev:flag/*`' +
        '; statement 1 of role `qa` allows it for `proj/web:env/qa:flag/*`',
    )
  })

  it('explains why a deny for one environment denies a change in all environments', () => {
    const policy = policyOf({
      ops: [
        { effect: 'allow', resources: ['proj/*:env/*:flag/*'], actions: ['*'] },
        { effect: 'deny', resources: ['proj/*:env/production:flag/*'], actions: ['*'] },
        { effect: 'deny', resources: ['proj/*:env/*:flag/locked'], actions: ['*'] },
      ],
    })
    expect(explain(policy, 'updateName', resource('proj/web:env/*:flag/checkout')).text).toBe(
      'denied by statement 2 of role `ops`, which denies it in some environment, and the request is about all of them',
    )
    expect(explain(policy, 'updateOn', resource('proj/web:env/test:flag/locked')).text).toBe(
      'denied by statement 3 of role `ops`',
    )
  })

  it('requires the missing attributes of every environment for a change in all environments', () => {
    const policy = policyOf({ dev: [{ effect: 'allow', resources: ['proj/*:env/*;qa:flag/*'], actions: ['*'] }] })
    expect(explain(policy, 'updateName', resource('proj/web:env/*:flag/checkout')).nearMisses).toEqual([
      'would be allowed if every environment had the tag `qa`',
    ])
  })
})
