import { describe, expect, it } from 'vitest'
import { evaluate } from './evaluate.ts'
import { explainEvaluation } from './explain-evaluation.ts'
import type { FlagData, SegmentData } from './flag-data.ts'
import { compileRuleset } from './ruleset.ts'
import { bucketValueOf, fallthrough, flagWith, malformed, outcomeOf, ruleMatch } from './test/verdicts.ts'

const user = { kind: 'user', key: 'user-key' }

/** Compiles a flag of texts: `off`, `rest` for the default rule, and two values for targets. */
const targeting = (overrides: Partial<FlagData> = {}) =>
  compileRuleset({
    flags: [
      {
        key: 'f',
        on: true,
        variations: ['off', 'rest', 'A', 'B'],
        offVariation: 0,
        fallthrough: { variation: 1 },
        targets: [
          { variation: 2, values: ['key1', 'key2'] },
          { variation: 3, values: ['key3', 'key4'] },
        ],
        ...overrides,
      },
    ],
  })

describe('targets', () => {
  const contextTargets = [
    { contextKind: 'other', variation: 3, values: ['key1', 'key2'] },
    { contextKind: 'other', variation: 2, values: ['key3', 'key4'] },
    { contextKind: 'user', variation: 2, values: [] },
    { contextKind: 'user', variation: 3 },
  ]
  const single = (kind: string, key: string) => ({ kind, key })
  const multi = (userKey: string, otherKey: string) => ({
    kind: 'multi',
    user: { key: userKey },
    other: { key: otherKey },
  })

  it.each([
    ['users', {}, single('user', 'key1'), 'A'],
    ['users', {}, single('user', 'key2'), 'A'],
    ['users', {}, single('user', 'key3'), 'B'],
    ['users', {}, single('user', 'key4'), 'B'],
    ['users', {}, single('user', 'key99'), 'rest'],
    ['users', {}, single('other', 'key1'), 'rest'],
    ['users', {}, multi('key1', 'key4'), 'A'],
    ['users', {}, multi('key99', 'key4'), 'rest'],
    ['all kinds', { contextTargets }, single('user', 'key1'), 'A'],
    ['all kinds', { contextTargets }, single('user', 'key4'), 'B'],
    ['all kinds', { contextTargets }, single('other', 'key1'), 'B'],
    ['all kinds', { contextTargets }, single('other', 'key2'), 'B'],
    ['all kinds', { contextTargets }, single('other', 'key3'), 'A'],
    ['all kinds', { contextTargets }, single('other', 'key99'), 'rest'],
    ['all kinds', { contextTargets }, multi('key1', 'key99'), 'A'],
    // The other kind comes first in the list.
    ['all kinds', { contextTargets }, multi('key1', 'key1'), 'B'],
    ['all kinds', { contextTargets }, multi('key98', 'key99'), 'rest'],
  ])('of %s, with overrides %j, serve context %j the value %s', (_, overrides, context, value) => {
    const outcome = evaluate(targeting(overrides), 'f', context)
    const kind = value === 'rest' ? 'FALLTHROUGH' : 'TARGET_MATCH'
    expect([outcome.value, outcome.reason]).toEqual([value, { kind }])
  })

  it('are ignored when the flag is off', () => {
    const outcome = evaluate(targeting({ on: false, contextTargets }), 'f', single('user', 'key1'))
    expect(outcome).toEqual({ value: 'off', variationIndex: 0, reason: { kind: 'OFF' } })
  })
})

describe('contexts', () => {
  const multi = { kind: 'multi', user: { key: 'a' }, other: { key: 'b' } }
  it.each([
    [multi, { attribute: 'key', values: ['a'] }, true],
    [multi, { attribute: 'key', values: ['b'] }, false],
    [multi, { contextKind: 'other', attribute: 'key', values: ['b'] }, true],
    [multi, { contextKind: 'other', attribute: 'key', values: ['a'] }, false],
    [multi, { attribute: 'kind', values: ['user'] }, true],
    [multi, { attribute: 'kind', values: ['dog'] }, false],
    [{ kind: 'user', key: 'a' }, { attribute: 'kind', values: ['user'] }, true],
    [{ kind: 'user', key: 'a' }, { attribute: 'kind', values: ['org'] }, false],
    [{ kind: 'user', key: 'a' }, { attribute: 'kind', values: ['cat'], negate: true }, true],
    [{ kind: 'multi', dog: { key: 'b' } }, { attribute: 'kind', values: ['dog'], negate: true }, false],
    [{ key: 'a', anonymous: true }, { attribute: 'anonymous', values: [true] }, true],
    [{ key: 'a', anonymous: false }, { attribute: 'anonymous', values: [true] }, false],
    [{ key: 'a' }, { attribute: 'anonymous', values: [false] }, true],
    [{ key: 'a', custom: { colour: 'red' } }, { attribute: 'colour', values: ['red'] }, true],
    [{ key: 'a', custom: { email: 'x' }, email: 'y' }, { attribute: 'email', values: ['y'] }, true],
    [{ key: 7 }, { attribute: 'key', values: ['7'] }, true],
    [{ key: '' }, { attribute: 'key', values: [''] }, true],
    [
      { kind: 'user', key: 'a', address: { city: 'Rome' } },
      { contextKind: 'user', attribute: '/address/city', values: ['Rome'] },
      true,
    ],
    [{ kind: 'user', key: 'a', 'a/b~c': 1 }, { contextKind: 'user', attribute: '/a~1b~0c', values: [1] }, true],
    [{ kind: 'user', key: 'a', '/x': 1 }, { attribute: '/x', values: [1] }, true],
    [{ kind: 'user', key: 'a', list: [{ x: 1 }] }, { contextKind: 'user', attribute: '/list/0/x', values: [1] }, false],
    [{ kind: 'user', key: 'a' }, { contextKind: 'user', attribute: 'toString', values: ['x'], negate: true }, false],
  ])('of %j match the clause %j: %j', (context, clause, expected) => {
    expect(outcomeOf([{ op: 'in', ...clause }], context).value).toBe(expected)
  })

  it.each(['name', 'email', 'firstName', 'lastName', 'country', 'avatar', 'ip'])(
    'without a kind have the attribute %s next to their key',
    (name) => {
      const clause = { attribute: name, op: 'in', values: ['right'] }
      const contexts = [{ key: 'a', [name]: 'right' }, { key: 'a', [name]: 'wrong' }, { key: 'a' }]
      expect(contexts.map((context) => outcomeOf([clause], context).value)).toEqual([true, false, false])
    },
  )

  const none = [
    null,
    undefined,
    'text',
    {},
    { kind: 'user' },
    { kind: 'user', key: '' },
    { kind: 'user', key: 3 },
    { kind: '', key: 'a' },
    { kind: 'kind', key: 'a' },
    { kind: 'örg', key: 'a' },
    { kind: 3, key: 'a' },
    { kind: 'multi' },
    { kind: 'multi', user: 'a' },
    { kind: 'multi', user: { key: '' } },
    { kind: 'multi', user: { key: 'a' }, kind2: [] },
    { key: null },
  ]
  it.each(none)('%j is not a valid context', (context) => {
    const ruleset = compileRuleset({ flags: [flagWith([])] })
    expect(evaluate(ruleset, 'f', context as never).reason).toEqual({ kind: 'ERROR', errorKind: 'USER_NOT_SPECIFIED' })
    expect(explainEvaluation(ruleset, 'f', context as never).contextError).toBeTypeOf('string')
  })

  it.each(['', '/', '//', '/a//b', '/a/', '/a~', '/a~2', '_meta', '/_meta/x'])(
    'cannot have the attribute %j, and a flag with a clause on it is malformed',
    (attribute) => {
      expect(outcomeOf([{ contextKind: 'user', attribute, op: 'in', values: [1] }], user)).toEqual(malformed)
    },
  )
})

describe('variations that do not exist', () => {
  const flags: FlagData[] = [-1, 2, 0.5].flatMap((variation) => [
    flagWith([], { on: false, offVariation: variation }),
    flagWith([], { rules: [], fallthrough: { variation } }),
    flagWith([], { targets: [{ variation, values: ['user-key'] }] }),
    flagWith([], { rules: [{ id: 'r', variation, clauses: [] }] }),
    flagWith([], { rules: [], fallthrough: { rollout: { variations: [{ variation, weight: 100_000 }] } } }),
  ])
  it.each([
    ...flags,
    flagWith([], { rules: [], fallthrough: {} }),
    flagWith([], { rules: [], fallthrough: undefined }),
    flagWith([], { rules: [], fallthrough: { rollout: { variations: [] } } }),
  ])('make a flag malformed: %j', (flag) => {
    expect(evaluate(compileRuleset({ flags: [flag] }), 'f', user)).toEqual(malformed)
  })

  it('fall back to the default of the caller when the flag is off and has no off variation', () => {
    const ruleset = compileRuleset({ flags: [flagWith([], { on: false, offVariation: null })] })
    expect(evaluate(ruleset, 'f', user)).toEqual({ value: undefined, variationIndex: null, reason: { kind: 'OFF' } })
  })
})

describe('prerequisites', () => {
  const requiring = (...keys: string[]): Partial<FlagData> => ({
    prerequisites: keys.map((key) => ({ key, variation: 0 })),
  })
  const flagOn = (key: string, overrides: Partial<FlagData> = {}): FlagData => flagWith([], { key, ...overrides })
  const failed = (prerequisiteKey: string) => ({
    value: false,
    variationIndex: 1,
    reason: { kind: 'PREREQUISITE_FAILED', prerequisiteKey },
  })
  const otherFlag = flagOn('other', { rules: [] })
  it.each<[string, FlagData[], unknown]>([
    ['one that is met', [flagOn('f', requiring('a')), flagOn('a')], ruleMatch],
    ['two that are met', [flagOn('f', requiring('a', 'b')), flagOn('a'), flagOn('b')], ruleMatch],
    ['one that serves another variation', [flagOn('f', requiring('other')), otherFlag], failed('other')],
    [
      'a second one that serves another variation',
      [flagOn('f', requiring('a', 'other')), flagOn('a'), otherFlag],
      failed('other'),
    ],
    ['one that is off', [flagOn('f', requiring('a')), flagOn('a', { on: false, offVariation: 0 })], failed('a')],
    ['one that does not exist', [flagOn('f', requiring('none'))], failed('none')],
    [
      'one whose own prerequisite is not met',
      [flagOn('f', requiring('a')), flagOn('a', requiring('other')), otherFlag],
      failed('a'),
    ],
    [
      'one that another prerequisite has as well',
      [flagOn('f', requiring('a', 'b')), flagOn('a'), flagOn('b', requiring('a'))],
      ruleMatch,
    ],
    ['one that is malformed', [flagOn('f', requiring('a')), flagOn('a', { rules: [], fallthrough: {} })], malformed],
    ['itself', [flagOn('f', requiring('f'))], malformed],
    ['a cycle', [flagOn('f', requiring('a')), flagOn('a', requiring('b')), flagOn('b', requiring('f'))], malformed],
    [
      'a cycle that does not contain the flag',
      [flagOn('f', requiring('a')), flagOn('a', requiring('b')), flagOn('b', requiring('a'))],
      malformed,
    ],
    [
      'a cycle that is interrupted by a flag that is off',
      [flagOn('f', requiring('a')), flagOn('a', { ...requiring('f'), on: false })],
      failed('a'),
    ],
  ])('%s', (_, flags, expected) => {
    expect(evaluate(compileRuleset({ flags }), 'f', user)).toEqual(expected)
  })

  it('of a dense graph are evaluated once each, however many paths lead to them', () => {
    // Forty rows of two flags, each of which depends on both flags of the next row: 2^40 paths.
    const rows = Array.from({ length: 40 }, (_, row) =>
      ['l', 'r'].map((side) => flagOn(`${side}${row}`, row === 39 ? {} : requiring(`l${row + 1}`, `r${row + 1}`))),
    )
    const ruleset = compileRuleset({ flags: [flagOn('f', requiring('l0', 'r0')), ...rows.flat()] })
    expect(evaluate(ruleset, 'f', user)).toEqual(ruleMatch)
    expect(explainEvaluation(ruleset, 'f', user).value).toBe(true)
  })

  it('can be nested 200 deep, and make the flag malformed when nested 20,000 deep', () => {
    const chain = (length: number) =>
      compileRuleset({
        flags: Array.from({ length }, (_, index) =>
          flagOn(index === 0 ? 'f' : `f${index}`, index + 1 < length ? requiring(`f${index + 1}`) : {}),
        ),
      })
    expect(evaluate(chain(200), 'f', user)).toEqual(ruleMatch)
    expect(evaluate(chain(20_000), 'f', user)).toEqual(malformed)
  })
})

describe('segments', () => {
  const ofSegments = (...keys: string[]) => ({ attribute: '', op: 'segmentMatch', values: keys })
  const red = { attribute: 'colour', op: 'in', values: ['red'] }
  const segment: SegmentData = { key: 's', included: ['in'], excluded: ['out'], rules: [{ clauses: [red] }] }
  const byRule: SegmentData = { key: 't', rules: [{ clauses: [red] }] }
  const orgs: SegmentData = {
    key: 'orgs',
    includedContexts: [{ contextKind: 'org', values: ['acme'] }],
    excludedContexts: [{ contextKind: 'org', values: ['evil'] }],
    rules: [{ clauses: [{ contextKind: 'org', attribute: 'key', op: 'in', values: ['acme', 'evil', 'third'] }] }],
  }
  const nested: SegmentData = { key: 'nested', rules: [{ clauses: [ofSegments('s')] }] }
  const circle: SegmentData = { key: 'circle', rules: [{ clauses: [ofSegments('circle')] }] }
  const all = [segment, byRule, orgs, nested, circle]
  it.each<[string[], object, unknown]>([
    [['s'], { key: 'in' }, ruleMatch],
    [['s'], { key: 'in', colour: 'blue' }, ruleMatch],
    [['s'], { key: 'some', colour: 'red' }, ruleMatch],
    [['s'], { key: 'out', colour: 'red' }, fallthrough],
    [['s'], { key: 'some' }, fallthrough],
    [['s', 't'], { key: 'out', colour: 'red' }, ruleMatch],
    [['none'], { key: 'in' }, fallthrough],
    [['none', 's'], { key: 'in' }, ruleMatch],
    [['orgs'], { kind: 'org', key: 'acme' }, ruleMatch],
    [['orgs'], { kind: 'org', key: 'evil' }, fallthrough],
    [['orgs'], { kind: 'org', key: 'third' }, ruleMatch],
    [['orgs'], { kind: 'user', key: 'acme' }, fallthrough],
    [['orgs'], { kind: 'multi', user: { key: 'x' }, org: { key: 'acme' } }, ruleMatch],
    [['nested'], { key: 'in' }, ruleMatch],
    [['nested'], { key: 'out', colour: 'red' }, fallthrough],
    [['circle'], { key: 'in' }, malformed],
  ])('%j decide for context %j: %j', (keys, context, expected) => {
    expect(outcomeOf([ofSegments(...keys)], { kind: 'user', ...context } as never, all)).toEqual(expected)
  })

  it('that one clause names are negated together', () => {
    const clause = { ...ofSegments('s', 't'), negate: true }
    expect(outcomeOf([clause], { kind: 'user', key: 'in' }, all)).toEqual(fallthrough)
    expect(outcomeOf([clause], { kind: 'user', key: 'nobody' }, all)).toEqual(ruleMatch)
  })

  it('contain a percentage of the contexts that a rule matches', () => {
    const bucketValue = bucketValueOf('s.salt.user-key')
    const weighted = (weight: number): SegmentData => ({ key: 's', salt: 'salt', rules: [{ clauses: [], weight }] })
    const weight = Math.floor(bucketValue * 100_000)
    expect(outcomeOf([ofSegments('s')], user, [weighted(weight)])).toEqual(fallthrough)
    expect(outcomeOf([ofSegments('s')], user, [weighted(weight + 1)])).toEqual(ruleMatch)
  })
})

describe('outcomes', () => {
  it('cannot be changed by the caller, nor through the values that the flag was compiled from', () => {
    const value = { list: [1] }
    const ruleset = compileRuleset({ flags: [flagWith([], { variations: [value, false] })] })
    const outcome = evaluate(ruleset, 'f', user)
    value.list.push(2)
    expect(outcome.value).toEqual({ list: [1] })
    expect(() => (outcome.value as typeof value).list.push(3)).toThrow(TypeError)
    expect(Object.isFrozen(outcome) && Object.isFrozen(outcome.reason)).toBe(true)
    expect(evaluate(ruleset, 'f', user)).toBe(outcome)
  })
})
