import { describe, expect, it } from 'vitest'
import { equalVersions, orderedVersions, publishedTexts } from './test/published/reference-operators.ts'
import { matches, outcomeOf } from './test/verdicts.ts'

/** Returns all pairs of the elements of two lists. */
const pairs = <A, B>(as: readonly A[], bs: readonly B[]) => as.flatMap((a) => bs.map((b) => [a, b] as const))

describe('text operators', () => {
  const cases: readonly (readonly [op: string, attribute: unknown, value: unknown, expected: boolean])[] = [
    ...publishedTexts,
    ['startsWith', 'anything', '', true],
    ['matches', 'hello world', 'hello.*rld', true],
    ['matches', 'hello world', 'l+', true],
    ['matches', 'hello world', '(world|planet)', true],
    ['matches', 'hello world', 'aloha', false],
    ['matches', 'hello world', '***not a regex', false],
    ['in', 'x', 'x', true],
    ['in', 'x', 'y', false],
    ['in', 'X', 'x', false],
    ['in', 99, 99, true],
    ['in', 99.0001, 99, false],
    ['in', true, true, true],
    ['in', true, 'true', false],
    ['in', '99', 99, false],
    ['in', null, null, false],
    ['nobodyKnowsThis', 'x', 'x', false],
  ]
  it.each(cases)('%s of %j and %j: %j', (op, attribute, value, expected) => {
    expect(matches(op, attribute, value)).toBe(expected)
  })

  it.each(pairs(['startsWith', 'endsWith', 'contains', 'matches'], [true, 99, null, { a: 1 }, undefined]))(
    '%s supports text only, and does not match %j',
    (op, otherType) => {
      expect(matches(op, otherType, String(otherType))).toBe(false)
      expect(matches(op, String(otherType), otherType)).toBe(false)
    },
  )
})

describe('number operators', () => {
  const numbers = [-3, 0, 1, 1.5, 99, 1e12]
  const relations = {
    lessThan: (a: number, b: number) => a < b,
    lessThanOrEqual: (a: number, b: number) => a <= b,
    greaterThan: (a: number, b: number) => a > b,
    greaterThanOrEqual: (a: number, b: number) => a >= b,
  }
  it.each(Object.entries(relations))('%s compares all pairs of numbers', (op, expected) => {
    for (const [a, b] of pairs(numbers, numbers)) expect([a, b, matches(op, a, b)]).toEqual([a, b, expected(a, b)])
  })

  it.each(pairs(Object.keys(relations), ['1', true, null, [], '']))(
    '%s supports numbers only, and does not match %j',
    (op, otherType) => {
      expect(matches(op, otherType, 1)).toBe(false)
      expect(matches(op, 1, otherType)).toBe(false)
    },
  )

  it('lessThan uses the largest of several values', () => {
    const clause = { contextKind: 'user', attribute: 'a', op: 'lessThan', values: [1, 'x', 10, 5] }
    expect([9, 10].map((a) => outcomeOf([clause], { kind: 'user', key: 'k', a }).value)).toEqual([true, false])
  })
})

describe('time operators', () => {
  // Two points in time, each written in several notations.
  const early = ['2017-12-06T00:00:00.000-07:00', '2017-12-06T07:00:00.000Z', 1_512_543_600_000]
  const late = [
    '2017-12-06T00:01:01.000-07:00',
    '2017-12-06T07:01:01.000Z',
    '2017-12-06T07:01:01-00',
    1_512_543_661_000,
  ]
  const same = [...early, '2017-12-06T07:00:00Z', '2017-12-06T00:00:00-07', '2017-12-06T08:30:00.0+01:30']
  const invalid = [
    '2017-12-06X00:00:00.000-07:00',
    '2017-12-06',
    '00:00:00.000-07.00',
    'badstring',
    '',
    '1512543600000',
    '2017-12-06T00:00:00',
    '2017-12-06T00:00:00Z and more',
    true,
    null,
    { at: 1 },
  ]

  it.each(pairs(early, late))('%j is before %j', (a, b) => {
    expect([matches('before', a, b), matches('after', b, a)]).toEqual([true, true])
    expect([matches('after', a, b), matches('before', b, a)]).toEqual([false, false])
  })

  it.each(pairs(same, same))('%j is neither before nor after %j', (a, b) => {
    expect([matches('before', a, b), matches('after', a, b)]).toEqual([false, false])
  })

  it.each(pairs(invalid, early))('%j is not a valid time, neither before nor after %j', (invalidValue, validValue) => {
    const results = ['before', 'after'].flatMap((op) => [
      matches(op, invalidValue, validValue),
      matches(op, validValue, invalidValue),
    ])
    expect(results).toEqual([false, false, false, false])
  })
})

describe('version operators', () => {
  const equal: readonly (readonly [string, string])[] = [...equalVersions, ['2+build.1', '2.0.0']]
  it.each(equal)('%s equals %s', (a, b) => {
    const results = ['semVerEqual', 'semVerLessThan', 'semVerGreaterThan'].map((op) => [
      matches(op, a, b),
      matches(op, b, a),
    ])
    expect(results).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ])
  })

  const ordered: readonly (readonly [string, string])[] = [
    ...orderedVersions,
    ['2', '10'],
    ['2.0.0-1', '2.0.0-a'],
    ['2.0.0-A', '2.0.0-a'],
  ]
  it.each(ordered)('%s precedes %s', (lower, higher) => {
    const ops = ['semVerEqual', 'semVerLessThan', 'semVerGreaterThan']
    expect(ops.map((op) => matches(op, lower, higher))).toEqual([false, true, false])
    expect(ops.map((op) => matches(op, higher, lower))).toEqual([false, false, true])
  })

  const invalid = [
    '02.0.0',
    'v2.0.0',
    '2.0.0.0',
    '2.',
    '',
    'abc',
    '2.0.0-',
    '2.0.0-01',
    '2.0.0+',
    2,
    true,
    null,
    `2.${'0'.repeat(300)}`,
  ]
  it.each(invalid)('%j is not a valid version', (invalidValue) => {
    const ops = ['semVerEqual', 'semVerLessThan', 'semVerGreaterThan']
    expect(ops.flatMap((op) => [matches(op, invalidValue, '2.0.0'), matches(op, '2.0.0', invalidValue)])).not.toContain(
      true,
    )
  })
})

describe('a clause', () => {
  const valueFor = (attribute: unknown, overrides: object) =>
    outcomeOf([{ contextKind: 'user', attribute: 'a', op: 'in', values: ['x', 'y'], ...overrides }], {
      kind: 'user',
      key: 'k',
      a: attribute,
    }).value

  it('matches if the attribute matches any of its values, and if it matches none when the clause is negated', () => {
    expect(['x', 'y', 'z'].map((a) => valueFor(a, {}))).toEqual([true, true, false])
    expect(['x', 'y', 'z'].map((a) => valueFor(a, { negate: true }))).toEqual([false, false, true])
  })

  it('matches if any element of a list does', () => {
    expect([['z', 'y'], ['z'], []].map((a) => valueFor(a, {}))).toEqual([true, false, false])
    expect([['z', 'y'], ['z'], []].map((a) => valueFor(a, { negate: true }))).toEqual([false, true, true])
  })

  it.each([undefined, null])('does not match a context whose attribute is %j, negated or not', (missing) => {
    expect([valueFor(missing, {}), valueFor(missing, { negate: true })]).toEqual([false, false])
  })

  it('with an unknown operator matches when it is negated', () => {
    expect(valueFor('x', { op: 'nobodyKnowsThis', negate: true })).toBe(true)
  })

  it('evaluates patterns that backtrack exponentially without delay', () => {
    const text = `${'a'.repeat(40_000)}!`
    // A backtracking engine would not finish any of these patterns within a reasonable time.
    for (const pattern of ['^(a+)+$', '(a|a)*b', '(a|aa)+$', 'a*a*a*a*b', '(.*b){12}', '(?=a+b)a']) {
      expect(matches('matches', text, pattern)).toBe(false)
    }
    expect(matches('matches', text, '(a+)+!')).toBe(true)
    expect(matches('matches', 'ab', '(?=a)ab')).toBe(true)
  })
})
