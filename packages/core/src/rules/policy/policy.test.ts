import { describe, expect, it } from 'vitest'
import { compileRole } from '../../resources/policy.ts'
import { compilePolicy, decide, lacksAttributes } from './policy.ts'
import type { Statement } from './statement.ts'
import { allow, allowed, deny, policyOf, resource } from './test/policies.ts'

describe('decide', () => {
  it('denies by default', () => {
    expect(decide(policyOf(), 'updateOn', resource('proj/web'))).toEqual({ allowed: false })
    expect(decide(compilePolicy([]), 'updateOn', resource('proj/web'))).toEqual({ allowed: false })
  })

  it('returns the statement that decides', () => {
    const statements = [allow('proj/*'), allow('proj/web'), deny('proj/api'), deny('proj/a*')]
    const policy = policyOf(...statements)
    const decision = decide(policy, 'updateTags', resource('proj/web'))
    expect(decision).toEqual({ allowed: true, role: 'role', index: 0, statement: statements[0] })
    const denial = decide(policy, 'updateTags', resource('proj/api'))
    expect(denial).toEqual({ allowed: false, role: 'role', index: 2, statement: statements[2] })
  })

  it('combines roles: a deny applies inside its own role only', () => {
    const opsRole = compileRole({ name: 'ops', statements: [allow('proj/*'), deny('proj/web')] })
    const devRole = compileRole({ name: 'dev', statements: [allow('proj/web')] })
    const web = resource('proj/web')
    expect(decide(compilePolicy([opsRole]), 'updateTags', web)).toMatchObject({ allowed: false, role: 'ops', index: 1 })
    expect(decide(compilePolicy([opsRole, devRole]), 'updateTags', web)).toMatchObject({
      allowed: true,
      role: 'dev',
      index: 0,
    })
  })

  it.each<[string, Partial<Statement>, string, boolean]>([
    ['a name', { actions: ['updateOn'] }, 'updateOn', true],
    ['another name', { actions: ['updateOn'] }, 'updateOnly', false],
    ['another letter case', { actions: ['updateon'] }, 'updateOn', false],
    ['a prefix', { actions: ['update*'] }, 'updateOn', true],
    ['a suffix', { actions: ['*On'] }, 'updateOn', true],
    ['a pattern with several wildcards', { actions: ['u*dat*On'] }, 'updateOn', true],
    ['anything', { actions: ['*'] }, 'constructor', true],
    ['the exclusion of a pattern that matches', { notActions: ['update*'] }, 'updateOn', false],
    ['the exclusion of patterns that do not match', { notActions: ['create*', 'delete*'] }, 'updateOn', true],
    ['a name next to an empty list', { actions: ['updateOn'], notActions: [] }, 'updateOn', true],
  ])('matches an action by %s', (_, actions, action, expected) => {
    const policy = policyOf({ effect: 'allow', resources: ['proj/*'], ...actions })
    expect(decide(policy, action, resource('proj/web')).allowed).toBe(expected)
  })

  it('applies notResources to all other resources of any kind', () => {
    const statement: Statement = { effect: 'allow', notResources: ['proj/web', 'team/*'], actions: ['*'] }
    expect(allowed(statement, 'proj/api')).toBe(true)
    expect(allowed(statement, 'webhook/1')).toBe(true)
    expect(allowed(statement, 'proj/web:env/test')).toBe(true)
    expect(allowed(statement, 'proj/web')).toBe(false)
    expect(allowed(statement, 'team/growth')).toBe(false)
  })

  it('caches the candidate statements of an action and a shape', () => {
    const policy = policyOf(allow('proj/*'))
    const candidates = policy.candidates('updateOn', resource('proj/web'))
    expect(policy.candidates('updateOn', resource('proj/api'))).toBe(candidates)
    expect(policy.candidates('updateOn', resource('team/growth'))).toEqual([])
  })

  it('decides correctly when the cache of candidates is full', () => {
    const policy = policyOf({ effect: 'allow', notResources: ['proj/*'], actions: ['*'] })
    for (let i = 0; i < 10_000; i++) {
      if (!decide(policy, 'updateOn', [{ kind: `kind${i}`, key: 'x' }]).allowed) expect.fail(`kind${i}`)
    }
    expect(decide(policy, 'updateOn', resource('proj/web')).allowed).toBe(false)
  })
})

describe('role attributes', () => {
  function withValues(specifier: string, address: string, roleAttributes: Record<string, string[]>): boolean {
    const role = compileRole({ name: 'role', statements: [allow(specifier)] }, { roleAttributes })
    return decide(compilePolicy([role]), 'updateOn', resource(address)).allowed
  }

  it.each<[string, string, Record<string, string[]>, boolean]>([
    ['proj/${roleAttribute/own}', 'proj/web', { own: ['api', 'web'] }, true],
    ['proj/${roleAttribute/own}', 'proj/ios', { own: ['api', 'web'] }, false],
    ['proj/${roleAttribute/own}', 'proj/web', { own: [] }, false],
    ['proj/${roleAttribute/own}', 'proj/web', {}, false],
    ['proj/${roleAttribute/constructor}', 'proj/web', {}, false],
    ['proj/a-${roleAttribute/own}-z', 'proj/a-web-z', { own: ['web'] }, true],
    ['proj/a-${roleAttribute/own}-z', 'proj/a-web', { own: ['web'] }, false],
    ['proj/${roleAttribute/own}-*', 'proj/web-eu', { own: ['web'] }, true],
    ['proj/*-${roleAttribute/own}', 'proj/x-we-web', { own: ['we', 'web'] }, true],
    ['proj/${roleAttribute/own}*${roleAttribute/area}', 'proj/web-eu', { own: ['web'], area: ['us', 'eu'] }, true],
    ['proj/${roleAttribute/own}*${roleAttribute/area}', 'proj/web-eu', { own: ['web'], area: [] }, false],
    ['proj/${roleAttribute/own}${roleAttribute/own}', 'proj/abaab', { own: ['ab', 'aba', 'aab'] }, true],
  ])(
    'in the specifier %s, for the resource %s and the values %j: allowed is %s',
    (specifier, address, values, expected) => {
      expect(withValues(specifier, address, values)).toBe(expected)
    },
  )

  it('are taken literally', () => {
    expect(withValues('proj/${roleAttribute/own}', 'proj/web', { own: ['*'] })).toBe(false)
    expect(withValues('proj/${roleAttribute/own}-x', 'proj/web-x', { own: ['w*'] })).toBe(false)
    expect(withValues('proj/${roleAttribute/own}*', 'proj/web', { own: ['*'] })).toBe(false)
    expect(withValues('proj/${roleAttribute/own}', 'proj/w%2A', { own: ['w*'] })).toBe(true)
    expect(withValues('proj/${roleAttribute/own}', 'proj/web', { own: ['%77eb', '${roleAttribute/own}'] })).toBe(false)
  })

  it('cannot add levels or qualifiers', () => {
    expect(withValues('proj/${roleAttribute/own}', 'proj/web:env/test', { own: ['web:env/test'] })).toBe(false)
    expect(withValues('proj/${roleAttribute/own}', 'proj/web', { own: ['web;qa'] })).toBe(false)
    expect(withValues('proj/${roleAttribute/own}', 'proj/web%3Benv', { own: ['web;env'] })).toBe(true)
  })

  it('are replaced in tags, views and properties too', () => {
    const ownAttribute = '${roleAttribute/own}'
    const statements = [
      allow(`proj/*:env/*;\${roleAttribute/area};{owner:${ownAttribute}}:flag/*;view:${ownAttribute}`),
    ]
    const roleAttributes = { own: ['a'], area: ['eu'] }
    const policy = compilePolicy([compileRole({ name: 'role', statements }, { roleAttributes })])
    const env = { tags: ['eu'], properties: { owner: 'a' } }
    const address = 'proj/web:env/test:flag/x'
    expect(decide(policy, 'updateOn', resource(address, { env, flag: { views: ['a'] } })).allowed).toBe(true)
    expect(decide(policy, 'updateOn', resource(address, { env, flag: { views: ['b'] } })).allowed).toBe(false)
  })
})

describe('a change in all environments', () => {
  const allEnvironments = 'proj/web:env/*:flag/checkout'

  it.each([
    'proj/web:env/prod*:flag/*',
    'proj/web:env/production:flag/*',
    'proj/web:env/%2A:flag/*',
    'proj/web:env/*;qa:flag/*',
  ])('is not allowed by %s', (specifier) => {
    expect(allowed(allow(specifier), allEnvironments)).toBe(false)
  })

  it('is allowed by a specifier that matches every environment', () => {
    expect(allowed(allow('proj/web:env/*:flag/*'), allEnvironments)).toBe(true)
    expect(allowed(allow('proj/web:env/**:flag/*'), allEnvironments)).toBe(true)
    expect(allowed(allow('proj/web:env/*;qa:flag/*'), allEnvironments, { env: { tags: ['qa'] } })).toBe(true)
  })

  it.each(['proj/web:env/production:flag/*', 'proj/*:env/*;{critical:true}:flag/*', 'proj/*:env/*:flag/checkout'])(
    'is denied by %s, even if another statement allows it',
    (specifier) => {
      expect(allowed([allow('proj/*:env/*:flag/*'), deny(specifier)], allEnvironments)).toBe(false)
    },
  )

  it('is not denied by a statement about another project or flag', () => {
    const otherDeny = deny('proj/api:env/production:flag/*', 'proj/web:env/production:flag/search')
    expect(allowed([allow('proj/*:env/*:flag/*'), otherDeny], allEnvironments)).toBe(true)
  })

  it('is not allowed by notResources with one environment', () => {
    const allButOne: Statement = { effect: 'allow', notResources: ['proj/*:env/production:flag/*'], actions: ['*'] }
    expect(allowed(allButOne, allEnvironments)).toBe(false)
    expect(allowed(allButOne, 'proj/web:env/test:flag/checkout')).toBe(true)
  })

  it('is denied by notResources with one environment', () => {
    const allButOne: Statement = { effect: 'deny', notResources: ['proj/*:env/test:flag/*'], actions: ['*'] }
    expect(allowed([allow('proj/*:env/*:flag/*'), allButOne], allEnvironments)).toBe(false)
    expect(allowed([allow('proj/*:env/*:flag/*'), allButOne], 'proj/web:env/test:flag/checkout')).toBe(true)
  })
})

describe('needs', () => {
  it('lists the attributes that decisions can depend on, by kind', () => {
    const devRole = compileRole({ name: 'dev', statements: [allow('proj/*:env/*;qa:flag/*;view:x'), allow('team/*')] })
    const opsRole = compileRole({ name: 'ops', statements: [deny('proj/*:env/*;{critical:true}:segment/*')] })
    expect(compilePolicy([devRole]).needs).toEqual(
      new Map([
        ['env', { tags: true, properties: false, views: false }],
        ['flag', { tags: false, properties: false, views: true }],
      ]),
    )
    expect(compilePolicy([devRole, opsRole]).needs.get('env')).toEqual({ tags: true, properties: true, views: false })
    expect(compilePolicy([devRole, opsRole]).needs.get('team')).toBeUndefined()
  })
})

describe('lacksAttributes', () => {
  const onTags = policyOf(allow('proj/*;red'))

  it('returns true for a level without an attribute that one of the policies tests', () => {
    const level = { kind: 'proj', key: 'web' }
    expect(lacksAttributes([policyOf(allow('proj/*')), onTags], level)).toBe(true)
    expect(lacksAttributes([policyOf(allow('proj/*'))], level)).toBe(false)
  })

  it('returns false for a level of another kind, and for one that has the attribute', () => {
    expect(lacksAttributes([onTags], { kind: 'env', key: 'test' })).toBe(false)
    expect(lacksAttributes([onTags], { kind: 'proj', key: 'web', tags: [] })).toBe(false)
  })
})
