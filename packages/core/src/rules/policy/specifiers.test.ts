import { describe, expect, it } from 'vitest'
import { compileRole } from '../../resources/policy.ts'
import { addressTemplate } from '../address.ts'
import { compilePolicy, decide } from './policy.ts'
import type { Statement } from './statement.ts'
import { type Attributes, allow, allowed, deny, policyOf } from './test/policies.ts'

describe('specifiers', () => {
  it.each<[string, string, boolean]>([
    ['proj/web', 'proj/web', true],
    ['proj/web', 'proj/Web', false],
    ['proj/*', 'proj/web', true],
    ['proj/web*', 'proj/web', true],
    ['proj/web-*', 'proj/web', false],
    ['proj/*b', 'proj/web', true],
    ['proj/w*b', 'proj/wb', true],
    ['proj/w*w', 'proj/w', false],
    ['proj/ab*ba', 'proj/aba', false],
    ['proj/*a*b*', 'proj/xxaxbx', true],
    ['proj/*b*a*', 'proj/xxaxbx', false],
    ['proj/*ab*ab', 'proj/ab', false],
    ['proj/*a*a*', 'proj/ab', false],
    ['proj/*a*a*', 'proj/aab', true],
    ['proj/*aab*', 'proj/aaab', true],
    ['proj/a*bc', 'proj/abcbc', true],
    ['proj/**', 'proj/web', true],
    ['proj/*:env/*', 'proj/web:env/test', true],
    ['proj/*:env/test', 'proj/web:env/prod', false],
    ['acct', 'acct', true],
    ['member/*:token/*', 'member/1:token/2', true],
    ['service-token/*', 'member/1:token/2', false],
  ])('match by name: %s on %s: %s', (specifier, address, expected) => {
    expect(allowed(allow(specifier), address)).toBe(expected)
  })

  it('match resources with exactly as many levels', () => {
    expect(allowed(allow('proj/*'), 'proj/web:env/test')).toBe(false)
    expect(allowed(allow('proj/*:env/*'), 'proj/web')).toBe(false)
    expect(allowed(allow('proj/*:env/*'), 'proj/web:env/test:flag/x')).toBe(false)
  })

  it.each<[string, readonly string[] | undefined, boolean]>([
    ['env/*;qa', ['qa', 'eu'], true],
    ['env/*;qa', ['qa-2'], false],
    ['env/*;qa', [], false],
    ['env/*;qa', undefined, false],
    ['env/*;qa,eu', ['eu', 'qa'], true],
    ['env/*;qa,eu', ['qa'], false],
    ['env/*;qa;eu', ['qa'], false],
    ['env/*;qa_*', ['core', 'qa_1'], true],
    ['env/prod;qa', ['qa'], false],
  ])('match by tag: %s with tags %j: %s', (level, tags, expected) => {
    expect(allowed(allow(`proj/*:${level}`), 'proj/web:env/test', { env: { tags } })).toBe(expected)
  })

  it.each<[string, Attributes, boolean]>([
    ['{critical:true}', { properties: { critical: true } }, true],
    ['{critical:true}', { properties: { critical: false } }, false],
    ['{critical:false}', { properties: { critical: false } }, true],
    ['{critical:false}', { properties: {} }, false],
    ['{critical:false}', {}, false],
    ['{critical:true,region:eu-*}', { properties: { critical: true, region: 'eu-west' } }, true],
    ['{critical:true,region:eu-*}', { properties: { critical: true, region: 'us' } }, false],
    ['{level:3}', { properties: { level: 3 } }, true],
    ['{constructor:*}', { properties: {} }, false],
    ['{critical:true};qa', { properties: { critical: true }, tags: ['qa'] }, true],
    ['qa;{critical:true}', { properties: { critical: true }, tags: [] }, false],
    ['view:checkout', { views: ['search', 'checkout'] }, true],
    ['view:checkout', { views: ['search'] }, false],
    ['view:checkout', {}, false],
    ['view:check*;qa;{critical:true}', { views: ['checkout'], tags: ['qa'], properties: { critical: true } }, true],
  ])('match by qualifier: env/*;%s with %j: %s', (qualifiers, attributes, expected) => {
    const statement = allow(`proj/*:env/*;${qualifiers}:flag/*`)
    expect(allowed(statement, 'proj/web:env/test:flag/x', { env: attributes })).toBe(expected)
  })

  it('test a qualifier on its own level only', () => {
    const statement = allow('proj/*:env/*;qa:flag/*')
    const otherLevels = { flag: { tags: ['qa'] }, proj: { tags: ['qa'] } }
    expect(allowed(statement, 'proj/web:env/test:flag/x', otherLevels)).toBe(false)
  })
})

describe('specifiers under attack', () => {
  const env = addressTemplate('proj/{projectKey}:env/{environmentKey}')

  function reaches(statement: Statement, projectKey: string, environmentKey: string): boolean {
    return decide(policyOf(statement), 'updateOn', env.resource({ projectKey, environmentKey })).allowed
  }

  it('treat a separator in a key as part of the key', () => {
    expect(reaches(allow('proj/web:env/production'), 'web:env/production', 'x')).toBe(false)
    expect(reaches(allow('proj/web:env/*'), 'web:env/test', 'production')).toBe(false)
    expect(reaches(allow('proj/web%3Aenv%2Ftest:env/x'), 'web:env/test', 'x')).toBe(true)
  })

  it('treat an escape in a key as three characters', () => {
    expect(reaches(allow('proj/web%3A1:env/x'), 'web%3A1', 'x')).toBe(false)
    expect(reaches(allow('proj/web%253A1:env/x'), 'web%3A1', 'x')).toBe(true)
  })

  it('match a wildcard in a key only with wildcards', () => {
    expect(reaches(allow('proj/web:env/production'), 'web', '*')).toBe(false)
    expect(reaches(allow('proj/web:env/production'), 'web', 'prod*')).toBe(false)
    expect(reaches(deny('proj/web:env/production'), 'web', '*')).toBe(false)
    expect(allowed([allow('proj/*'), deny('proj/web')], 'proj/*')).toBe(false)
  })

  it('do not treat a qualifier in a key as a qualifier', () => {
    expect(reaches(allow('proj/*:env/*;qa'), 'web', 'test;qa')).toBe(false)
    expect(reaches(allow('proj/*:env/*;{critical:false}'), 'web', 'test;{critical:false}')).toBe(false)
  })

  it('treat a tag with a wildcard or a comma as one tag', () => {
    const allowsTag = (tag: string) => allowed(allow('proj/*;qa,eu'), 'proj/web', { proj: { tags: [tag] } })
    expect(allowsTag('qa,eu')).toBe(false)
    expect(allowsTag('*')).toBe(false)
  })

  it('reject a statement that cannot be parsed instead of skipping it', () => {
    const invalid: Statement[] = [
      { ...deny('proj/*'), effect: 'Deny' as 'deny' },
      deny('proj/web', 'prj/web'),
      { effect: 'deny', resources: ['proj/*'] },
      { effect: 'deny', actions: ['*'] },
      { effect: 'deny', resources: ['proj/*'], notResources: ['proj/*'], actions: ['*'] },
      { effect: 'deny', resources: ['proj/*'], actions: ['${roleAttribute/x}'] },
    ]
    for (const statement of invalid) expect(() => policyOf(statement)).toThrow(/^statement 1 of role role/)
  })
})

describe('matching time', () => {
  // Backtracking for each star would take (100,000)^5 steps here, and expanding each combination would create 2^30
  // texts.
  const long = 'a'.repeat(100_000)

  it('is linear for a name with many stars', () => {
    const policy = policyOf(allow('proj/*a*a*a*a*b', `proj/*${'a'.repeat(400)}c*`, `proj/${'*a'.repeat(400)}*d*`))
    expect(decide(policy, 'updateOn', [{ kind: 'proj', key: long }]).allowed).toBe(false)
    expect(decide(policy, 'updateOn', [{ kind: 'proj', key: `${long}b` }]).allowed).toBe(true)
  })

  it('is linear for a name with many placeholders', () => {
    const statements = [allow(`proj/${'${roleAttribute/x}'.repeat(30)}`)]
    const roleAttributes = { x: ['a', 'aa', 'aaa'] }
    const policy = compilePolicy([compileRole({ name: 'role', statements }, { roleAttributes })])
    const decideFor = (key: string) => decide(policy, 'updateOn', [{ kind: 'proj', key }]).allowed
    expect([29, 30, 90, 91].map((length) => decideFor('a'.repeat(length)))).toEqual([false, true, true, false])
    expect(decideFor(`${'a'.repeat(60)}b`)).toBe(false)
  })

  it('is linear for a name with stars and placeholders', () => {
    const statements = [allow(`proj/*${'${roleAttribute/x}*'.repeat(10)}b`)]
    const policy = compilePolicy([compileRole({ name: 'role', statements }, { roleAttributes: { x: ['a', 'aa'] } })])
    const decideFor = (key: string) => decide(policy, 'updateOn', [{ kind: 'proj', key }]).allowed
    expect(['a'.repeat(10_000), `${'a'.repeat(10_000)}b`].map(decideFor)).toEqual([false, true])
  })
})
