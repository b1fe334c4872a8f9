import type { FlagData, RolloutData } from '../../flag-data.ts'
import type { EvaluationContext } from '../../subject.ts'
import { type ExpectedOutcome, malformed, type PublishedCase } from './published-case.ts'

/*
 * Cases derived from launchdarkly/sdk-test-harness, data/data-files/server-side-eval: errors, errors-wrong-type,
 * json-variations, rule-match, target-match, rollout-or-experiment and variation-value-types.
 */

const user = (key: string, custom: object = {}): EvaluationContext => ({ key, custom })
const always = { attribute: 'key', op: 'in', values: [''], negate: true }

/** A value of a flag for each type, and another value as the caller's default. */
const typed = {
  bool: [true, false],
  int: [1, -1],
  double: [1.5, 0.5],
  string: ['a', 'x'],
  any: [3, false],
} as const

const contradictions: readonly (readonly [name: string, flag: Partial<FlagData>])[] = [
  ['an off variation below', { on: false, offVariation: -1 }],
  ['an off variation beyond', { on: false, offVariation: 1 }],
  ['a default below', { fallthrough: { variation: -1 } }],
  ['a default beyond', { fallthrough: { variation: 1 } }],
  ['a target below', { targets: [{ variation: -1, values: ['user-key'] }] }],
  ['a target beyond', { targets: [{ variation: 1, values: ['user-key'] }] }],
  ['a rule below', { rules: [{ variation: -1, clauses: [always] }] }],
  ['a rule beyond', { rules: [{ variation: 1, clauses: [always] }] }],
]

const errors = Object.entries(typed).flatMap(([type, [value, fallback]]): PublishedCase[] => {
  const caseOf = (name: string, flag: Partial<FlagData>, expected: ExpectedOutcome, flagKey = 'f'): PublishedCase => ({
    name: `${name}, of type ${type}`,
    flags: [{ key: 'f', on: true, variations: [value], ...flag }],
    flagKey,
    context: user('user-key'),
    fallback,
    expected,
  })
  const toDefault = (reason: object): ExpectedOutcome => ({
    value: fallback,
    variationIndex: null,
    reason: { ...reason },
  })
  return [
    caseOf('no flag', {}, toDefault({ kind: 'ERROR', errorKind: 'FLAG_NOT_FOUND' }), 'no-such-flag'),
    caseOf('off without an off variation', { on: false }, toDefault({ kind: 'OFF' })),
    ...contradictions.map(([name, flag]) => caseOf(name, flag, malformed(fallback))),
  ]
})

/** Cases in which the caller's default and the value have different types. */
const wrongTypes = (
  [
    [1, true],
    ['a', true],
    [true, 1],
    ['a', 1],
    [true, 'default'],
    [1, 'default'],
  ] as const
).map(
  ([value, fallback]): PublishedCase => ({
    name: `${JSON.stringify(value)} is not of the type of ${JSON.stringify(fallback)}`,
    flags: [{ key: 'f', on: false, offVariation: 0, variations: [value] }],
    flagKey: 'f',
    context: user('user-key'),
    fallback,
    expected: { value: fallback, variationIndex: null, reason: { kind: 'ERROR', errorKind: 'WRONG_TYPE' } },
  }),
)

const fourValues = {
  bool: [false, false, true, false, false],
  int: [-100, -101, 1, 2, -1],
  double: [-100, -101, 1.5, 2.5, 0.5],
  string: ['off', 'fall', 'a', 'b', 'default'],
  // If the caller's default has no type, any value is returned.
  any: ['off', 'fall', 3, 'b', null],
} as const

const values = Object.entries(fourValues).flatMap(([type, [off, fallen, first, second, fallback]]): PublishedCase[] => {
  const flag: FlagData = {
    key: 'on',
    on: true,
    variations: [off, first, second, fallen],
    offVariation: 0,
    fallthrough: { variation: 3 },
    targets: [
      { variation: 1, values: ['key1'] },
      { variation: 2, values: ['key2'] },
    ],
  }
  const flags = [flag, { ...flag, key: 'off', on: false }]
  const caseOf = (flagKey: string, key: string, value: unknown, variationIndex: number | null, reason: object) => ({
    name: `${flagKey} for ${key}, of type ${type}`,
    ...{ flags, flagKey, context: user(key), fallback, expected: { value, variationIndex, reason: { ...reason } } },
  })
  return [
    caseOf('off', 'key1', off, 0, { kind: 'OFF' }),
    caseOf('on', 'key99', fallen, 3, { kind: 'FALLTHROUGH' }),
    caseOf('on', 'key1', first, 1, { kind: 'TARGET_MATCH' }),
    caseOf('on', 'key2', second, 2, { kind: 'TARGET_MATCH' }),
    caseOf('unknown', 'key2', fallback, null, { kind: 'ERROR', errorKind: 'FLAG_NOT_FOUND' }),
  ]
})

const inner = { str: 'str', double: 0.5, null: null }
const list = ['a', true, null, 3.14, inner]
const objects = ([false, true] as const).map((on): PublishedCase => {
  const variations = [list, { ...inner, arr: list }]
  const index = on ? 0 : 1
  return {
    name: `JSON of a flag that is ${on ? 'on' : 'off'}`,
    flags: [{ key: 'f', on, offVariation: 1, fallthrough: { variation: 0 }, variations }],
    flagKey: 'f',
    context: user('x'),
    fallback: null,
    expected: { value: variations[index], variationIndex: index, reason: { kind: on ? 'FALLTHROUGH' : 'OFF' } },
  }
})

const variations = ['off', 'fallthrough', 'valueA', 'valueB']
const four = { variations, offVariation: 0, fallthrough: { variation: 1 } }
const serving = (variationIndex: number, reason: object): ExpectedOutcome => ({
  value: variations[variationIndex],
  variationIndex,
  reason: { ...reason },
})
const fallthroughOutcome = serving(1, { kind: 'FALLTHROUGH' })
const isOff = serving(0, { kind: 'OFF' })
const byRule = (ruleIndex: number) =>
  serving(ruleIndex + 2, { kind: 'RULE_MATCH', ruleIndex, ruleId: `rule${ruleIndex + 1}` })
const truth = (attribute: string) => ({ attribute, op: 'in', values: [true] })
const twoRules = (...first: readonly object[]): Partial<FlagData> => ({
  rules: [
    { id: 'rule1', variation: 2, clauses: first as never },
    { id: 'rule2', variation: 3, clauses: [truth('second')] },
  ],
})

const ruled = (name: string, flag: Partial<FlagData>, custom: object, expected: ExpectedOutcome): PublishedCase => ({
  name: `rules: ${name}`,
  flags: [{ key: 'f', on: true, ...four, ...flag }],
  flagKey: 'f',
  context: user('user-key', custom),
  fallback: 'default',
  expected,
})
const bothClauses = twoRules(truth('one'), truth('two'))
const desirable = {
  rules: [
    { id: 'rule1', variation: 2, clauses: [{ attribute: 'a', op: 'in', values: ['undesirable'], negate: true }] },
  ],
}

const rules: readonly PublishedCase[] = [
  ruled('all clauses', bothClauses, { one: true, two: true }, byRule(0)),
  ruled('the second, as a clause of the first fails', bothClauses, { one: true, two: false, second: true }, byRule(1)),
  ruled(
    'an unknown operator',
    twoRules({ attribute: 'key', op: 'unsupportedOperator', values: [true] }),
    { second: true },
    byRule(1),
  ),
  ruled('none', bothClauses, {}, fallthroughOutcome),
  ruled('none of a flag that is off', { on: false, ...bothClauses }, { one: true, two: true }, isOff),
  ruled('negated, the value', desirable, { a: 'undesirable' }, fallthroughOutcome),
  ruled('negated, another value', desirable, { a: 'any other' }, byRule(0)),
  ruled('negated, null', desirable, { a: null }, fallthroughOutcome),
]

const targets = [
  { variation: 2, values: ['key1', 'key2'] },
  { variation: 3, values: ['key3', 'key4'] },
]
const contextTargets = [
  { contextKind: 'other', variation: 3, values: ['key1', 'key2'] },
  { contextKind: 'other', variation: 2, values: ['key3', 'key4'] },
  { contextKind: 'user', variation: 2 },
  { contextKind: 'user', variation: 3 },
]
const toA = serving(2, { kind: 'TARGET_MATCH' })
const toB = serving(3, { kind: 'TARGET_MATCH' })
const other = (key: string) => ({ kind: 'other', key })
const both = (ofUser: string, ofOther: string) => ({ kind: 'multi', user: { key: ofUser }, other: { key: ofOther } })

const targeted = (flag: Partial<FlagData>, context: EvaluationContext, expected: ExpectedOutcome): PublishedCase => ({
  name: `targets ${flag.contextTargets ? 'of several kinds' : 'of users'}: ${JSON.stringify(context)}`,
  flags: [{ key: 'f', on: true, ...four, targets, ...flag }],
  flagKey: 'f',
  context,
  fallback: 'default',
  expected,
})
const keyRule = { id: 'rule1', variation: 3, clauses: [{ attribute: 'key', op: 'in', values: ['key1'] }] }
const ofKinds = { contextTargets }
const targetCases = [
  ['key1', toA],
  ['key2', toA],
  ['key3', toB],
  ['key4', toB],
  ['key99', fallthroughOutcome],
] as const

const ofTargets: readonly PublishedCase[] = [
  ...[{}, ofKinds].flatMap((flag) => targetCases.map(([key, expected]) => targeted(flag, user(key), expected))),
  targeted({}, both('key1', 'key4'), toA),
  targeted({}, both('key99', 'key4'), fallthroughOutcome),
  targeted(ofKinds, other('key1'), toB),
  targeted(ofKinds, other('key2'), toB),
  targeted(ofKinds, other('key3'), toA),
  targeted(ofKinds, other('key4'), toA),
  targeted(ofKinds, other('key99'), fallthroughOutcome),
  targeted(ofKinds, both('key1', 'key99'), toA),
  // In this case the lists of the kind `other` come first.
  targeted(ofKinds, both('key1', 'key1'), toB),
  targeted(ofKinds, both('key98', 'key99'), fallthroughOutcome),
  targeted({ on: false }, user('key1'), isOff),
  targeted({ on: false, ...ofKinds }, user('key1'), isOff),
  targeted({ targets: [{ variation: 2, values: ['key1'] }], rules: [keyRule] }, user('key1'), toA),
]

const shares = (first: number, second: number, untracked = false) => [
  { variation: 2, weight: first, ...(untracked ? { untracked } : {}) },
  { variation: 3, weight: second },
]
const experiment = { kind: 'experiment' }

const rollouts: readonly (readonly [name: string, rollout: RolloutData, index: 2 | 3 | undefined, counts: boolean])[] =
  [
    ['the first share', { variations: shares(99_999, 1) }, 2, false],
    ['the second share', { variations: shares(1, 99_999) }, 3, false],
    ['the last share, for the remaining contexts', { variations: shares(1, 1) }, 3, false],
    ['the first share of an experiment', { ...experiment, variations: shares(99_999, 1) }, 2, true],
    ['the second share of an experiment', { ...experiment, variations: shares(1, 99_999) }, 3, true],
    ['a share that is not tracked', { ...experiment, variations: shares(99_999, 1, true) }, 2, false],
    [
      'the last share of an experiment, for the remaining contexts',
      { ...experiment, variations: shares(1, 1) },
      3,
      true,
    ],
    ['no shares', { variations: [] }, undefined, false],
  ]

const ofRollouts = rollouts.flatMap(([name, rollout, index, counts]) => {
  const reasons = [{ kind: 'FALLTHROUGH' }, { kind: 'RULE_MATCH', ruleIndex: 0, ruleId: 'rule-id' }]
  const parts: Partial<FlagData>[] = [
    { fallthrough: { rollout } },
    { rules: [{ id: 'rule-id', rollout, clauses: [always] }] },
  ]
  return parts.map((part, at): PublishedCase => {
    const reason = { ...(reasons[at] as object), ...(counts ? { inExperiment: true } : {}) }
    return {
      name: `${name}, by ${at === 0 ? 'the default rule' : 'a rule'}`,
      flags: [{ key: 'f', on: true, ...four, ...part }],
      flagKey: 'f',
      context: user('user-key'),
      fallback: 'default',
      expected: index === undefined ? malformed('default') : serving(index, reason),
    }
  })
})

export const referenceFlags: readonly PublishedCase[] = [
  ...errors,
  ...wrongTypes,
  ...values,
  ...objects,
  ...rules,
  ...ofTargets,
  ...ofRollouts,
]
