import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type AddressParams, addressOf, addressTemplate, parseAddress } from './address.ts'

const flag = addressTemplate('proj/{projectKey}:env/{environmentKey}:flag/{flagKey}')
const checkout = { projectKey: 'web', environmentKey: 'production', flagKey: 'checkout' }

describe('addressTemplate', () => {
  it('returns the address, its scope and its key', () => {
    expect(flag.kinds).toEqual(['proj', 'env', 'flag'])
    expect(flag.parameters).toEqual(['projectKey', 'environmentKey', 'flagKey'])
    expect(flag.address(checkout)).toBe('proj/web:env/production:flag/checkout')
    expect(flag.scope(checkout)).toBe('proj/web:env/production')
    expect(flag.key(checkout)).toBe('checkout')
    expect(flag.resource(checkout)).toEqual([
      { kind: 'proj', key: 'web' },
      { kind: 'env', key: 'production' },
      { kind: 'flag', key: 'checkout' },
    ])
  })

  it('supports literal names, and a level without a key', () => {
    const allEnvironments = addressTemplate('proj/{projectKey}:env/*:flag/{flagKey}')
    expect(allEnvironments.parameters).toEqual(['projectKey', undefined, 'flagKey'])
    expect(allEnvironments.address(checkout)).toBe('proj/web:env/*:flag/checkout')
    expect(allEnvironments.scope(checkout)).toBe('proj/web:env/*')
    const settings = addressTemplate('proj/{projectKey}:experimentation/settings')
    expect(settings.address(checkout)).toBe('proj/web:experimentation/settings')
    expect(settings.key(checkout)).toBe('settings')
    const account = addressTemplate('acct')
    expect([account.address({}), account.scope({}), account.key({})]).toEqual(['acct', '', ''])
    expect(account.resource({})).toEqual([{ kind: 'acct', key: '' }])
  })

  it('returns the outer part of the scope for which there are parameters', () => {
    expect(flag.scopeAbove(checkout)).toBe('proj/web:env/production')
    expect(flag.scopeAbove({ projectKey: 'web' })).toBe('proj/web')
    expect(flag.scopeAbove({ projectKey: 'a:b' })).toBe('proj/a%3Ab')
    // The first level without a parameter ends the scope, even if parameters for later levels are present.
    expect(flag.scopeAbove({ environmentKey: 'production', flagKey: 'checkout' })).toBe('')
    expect(flag.scopeAbove({})).toBe('')
  })

  it('has an empty scope for an address with one level', () => {
    expect(addressTemplate('team/{teamKey}').scope({ teamKey: 'growth' })).toBe('')
  })

  it('infers the names of its parameters as types', () => {
    expectTypeOf<AddressParams<'proj/{projectKey}:env/*:flag/{flagKey}'>>().toEqualTypeOf<'projectKey' | 'flagKey'>()
    expectTypeOf<AddressParams<'acct'>>().toEqualTypeOf<never>()
    expectTypeOf(flag.address)
      .parameter(0)
      .toEqualTypeOf<Readonly<Record<'projectKey' | 'environmentKey' | 'flagKey', string>>>()
  })

  it.each([
    '',
    'proj',
    'proj/',
    'Proj/{key}',
    'proj/{key',
    'proj/a/b',
    'proj/{a}{b}',
    'acct/{key}',
    'proj/{key}:',
    'proj/pro*',
  ])('rejects the template "%s"', (template) => {
    expect(() => addressTemplate(template)).toThrow(TypeError)
  })

  it.each([...'%:/;*,${}'])('escapes %s', (character) => {
    const escaped = `%${character.charCodeAt(0).toString(16).toUpperCase()}`
    expect(flag.address({ ...checkout, flagKey: `a${character}b` })).toBe(`proj/web:env/production:flag/a${escaped}b`)
  })

  it('escapes a hostile key so that it stays inside its level', () => {
    const hostile = 'a:flag/b;tag,c*${d}%2F'
    const address = flag.address({ ...checkout, environmentKey: hostile })
    expect(address).toBe('proj/web:env/a%3Aflag%2Fb%3Btag%2Cc%2A%24%7Bd%7D%252F:flag/checkout')
    expect(parseAddress(address)?.map((level) => level.key)).toEqual(['web', hostile, 'checkout'])
    expect(flag.scope({ ...checkout, environmentKey: hostile }).split(':')).toHaveLength(2)
  })

  it('creates different addresses for different keys, which parseAddress reverses', () => {
    const key = fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.stringMatching(/^[%:/;*,${}a2]{1,9}$/))
    fc.assert(
      fc.property(fc.tuple(key, key, key), fc.tuple(key, key, key), (keys, otherKeys) => {
        const [a, b] = [keys, otherKeys].map(([projectKey, environmentKey, flagKey]) =>
          flag.address({ projectKey, environmentKey, flagKey }),
        ) as [string, string]
        expect(a === b).toBe(keys.join('\0') === otherKeys.join('\0'))
        expect(parseAddress(a)?.map((level) => level.key)).toEqual(keys)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('parseAddress', () => {
  it.each(['proj/web', 'proj/web:env/*:flag/checkout', 'acct', 'member/1:token/2', 'proj/%3A', 'relay-proxy-config/x'])(
    'parses %s, which addressOf formats to the same text',
    (text) => {
      const resource = parseAddress(text)
      expect(resource).toBeDefined()
      expect(addressOf(resource ?? [])).toBe(text)
    },
  )

  it.each([
    ['nothing', ''],
    ['a kind alone', 'proj'],
    ['a name alone', '/web'],
    ['an empty name', 'proj/'],
    ['an empty level', 'proj/web:'],
    ['a level inside a name', 'proj/web/env'],
    ['a wildcard inside a name', 'proj/web*'],
    ['a tag', 'proj/web;core'],
    ['a key for the account', 'acct/1'],
    ['a lower-case escape', 'proj/%3a'],
    ['an escape that is not needed', 'proj/%61'],
    ['half an escape', 'proj/a%3'],
    ['an escape of nothing', 'proj/%'],
    ['a capital kind', 'PROJ/web'],
  ])('rejects %s', (_, text) => {
    expect(parseAddress(text)).toBeUndefined()
  })
})
