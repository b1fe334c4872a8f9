import { clauseCase, operatorCase, type PublishedCase, pairs } from './published-case.ts'

/*
 * Cases derived from launchdarkly/sdk-test-harness, data/data-files/server-side-eval: the files of operators. Where a
 * file tests permutations of its operands, these cases do too.
 */

type Row = readonly [op: string, attribute: unknown, value: unknown, matches: boolean]

/** A text operator with its operands, and the expected result. */
export const publishedTexts: readonly Row[] = [
  ['startsWith', 'prefix', 'prefix', true],
  ['startsWith', 'prefixabc', 'prefix', true],
  ['startsWith', 'notprefix', 'prefix', false],
  ['startsWith', 'Prefixabc', 'prefix', false],
  ['endsWith', 'suffix', 'suffix', true],
  ['endsWith', 'abcsuffix', 'suffix', true],
  ['endsWith', 'suffixno', 'suffix', false],
  ['endsWith', 'abcSuffix', 'suffix', false],
  ['contains', 'substring', 'substring', true],
  ['contains', 'abcsubstringxyz', 'substring', true],
  ['contains', 'abcsubstxyz', 'substring', false],
  ['contains', 'abcSubstringxyz', 'substring', false],
  ['matches', 'matchThisName', '^[A-Za-z]+', true],
  ['matches', "_Don't match This Name", '^[A-Za-z]+', false],
]

const otherTypes: readonly Row[] = pairs([true, 99, null], ['startsWith', 'endsWith', 'contains', 'matches']).map(
  ([other, op]) => [op, other, String(other), false],
)

/** Each attribute is tested once alone and once in a list. */
const ofTexts = [...publishedTexts, ...otherTypes].flatMap(([op, attribute, value, matches]) => [
  operatorCase(op, attribute, value, matches),
  operatorCase(op, [attribute], value, matches),
])

const hundred = {
  lessThan: [99],
  lessThanOrEqual: [99, 100],
  greaterThan: [100.1, 101],
  greaterThanOrEqual: [100, 100.1, 101],
}

const ofNumbers = [
  ...pairs(Object.entries(hundred), [99, 100, 100.1, 101]).map(([[op, matching], attribute]) =>
    operatorCase(op, attribute, 100, matching.includes(attribute)),
  ),
  ...Object.entries({ lessThan: '99', lessThanOrEqual: '100', greaterThan: '101', greaterThanOrEqual: '100' }).map(
    ([op, attribute]) => operatorCase(op, attribute, 100, false),
  ),
]

const [zoned, inUtc, shorter, inMs] = [
  '2017-12-06T00:00:00.000-07:00',
  '2017-12-06T07:00:00.000Z',
  '2017-12-06T07:00:00Z',
  1_512_543_600_000,
]
const lower = [zoned, inUtc, shorter, inMs]
const higher = ['2017-12-06T00:01:01.000-07:00', '2017-12-06T07:01:01.000Z', '2017-12-06T07:01:01Z', 1_512_543_601_000]
const noDates = ['2017-12-06X00:00:00.000-07:00', '2017-12-06', '00:00:00.000-07.00', 'badstring', '', '1512543600000']

/** Creates cases in which no operator matches, in either order of the operands. */
const neitherMatches = (as: readonly unknown[], bs: readonly unknown[], ops: readonly string[]) =>
  pairs(pairs(as, bs), ops).flatMap(([[a, b], op]) => [operatorCase(op, a, b, false), operatorCase(op, b, a, false)])

const ofDates = [
  ...neitherMatches(lower, lower, ['before', 'after']),
  ...pairs(lower, higher).flatMap(([low, high]) => [
    operatorCase('after', low, high, false),
    operatorCase('after', high, low, true),
    operatorCase('before', low, high, true),
    operatorCase('before', high, low, false),
  ]),
  ...neitherMatches(noDates, [zoned, inUtc, inMs], ['before', 'after']),
  ...neitherMatches([null, true, {}], [zoned, inUtc, inMs], ['before', 'after']),
]

/** Equal versions. */
export const equalVersions = [
  ['2.0.0', '2.0.0'],
  ['2.0', '2.0.0'],
  ['2', '2.0.0'],
  ['2.0.0+build', '2.0.0'],
  ['2.0.0-rc', '2.0.0-rc'],
  ['2.0-rc', '2.0.0-rc'],
  ['2-rc', '2.0.0-rc'],
  ['2.0.0-rc+build', '2.0.0-rc'],
] as const

/** Pairs of versions of which the first is lower. */
export const orderedVersions = [
  ['1.0.0', '2.0.0'],
  ['1.0', '2.0'],
  ['1', '2'],
  ['2.0.0', '2.1.0'],
  ['2.0', '2.1'],
  ['2.0.0', '2.0.1'],
  ['2.0.0-rc', '2.0.0'],
  ['2.0.0-rc', '2.0.0-rc.1'],
  ['2.0.0-rc.2.green', '2.0.0-rc.10.green'],
  ['2.0.0-rc.2.green', '2.0.0-rc.2.red'],
  ['2.0.0-rc.2.green', '2.0.0-rc.2.green.1'],
  ['2.0.0-rc.2.green', '2.0.1-rc.2.green'],
] as const

/** Creates cases for two versions of which the first is lower, with the three operators in both orders. */
export const versionsInOrder = ([low, high]: readonly [string, string]): PublishedCase[] => [
  operatorCase('semVerEqual', low, high, false),
  operatorCase('semVerEqual', high, low, false),
  operatorCase('semVerLessThan', low, high, true),
  operatorCase('semVerLessThan', high, low, false),
  operatorCase('semVerGreaterThan', high, low, true),
  operatorCase('semVerGreaterThan', low, high, false),
]

const ofVersions = [
  ...equalVersions.flatMap(([a, b]) => [
    operatorCase('semVerEqual', a, b, true),
    operatorCase('semVerEqual', b, a, true),
  ]),
  ...orderedVersions.flatMap(versionsInOrder),
  ...neitherMatches(['02.0.0', 'v2.0.0', '2.0.0.0'], ['2.0.0'], ['semVerEqual']),
  ...neitherMatches([null, true, 2, {}], ['2.0.0', '2.0', '2'], ['semVerEqual', 'semVerLessThan', 'semVerGreaterThan']),
]

/** Pairs of values of each type: booleans, integers, fractions, texts, and a pair of different types. */
const ofEquality = (
  [
    [true, false],
    [1, 2],
    [1.5, 2.5],
    ['a', 'b'],
    [3, 'b'],
  ] as const
).flatMap(([first, second]) => {
  const isIn = (attribute: object, values: readonly unknown[], matches: boolean) =>
    clauseCase(
      `${JSON.stringify(attribute)} in ${JSON.stringify(values)}`,
      { key: 'user-key', custom: attribute },
      { attribute: 'attrname', op: 'in', values },
      matches,
    )
  return [
    isIn({ attrname: first }, [first], true),
    isIn({ attrname: second }, [first], false),
    isIn({ attrname: second }, [first, second], true),
    isIn({ attrname: [second, first] }, [first], true),
    isIn({}, [first], false),
  ]
})

const manyIn = (attribute: unknown, values: readonly unknown[], matches: boolean) =>
  clauseCase(
    `${JSON.stringify(attribute)} in ${JSON.stringify(values)}`,
    { key: 'user-key', custom: { attrname: attribute } },
    { attribute: 'attrname', op: 'in', values },
    matches,
  )

/** Booleans are not numbers. Because 1.0 is 1 in JavaScript, three cases of the file equal three others. */
const ofTruthAndNumbers = [
  manyIn(true, [1], false),
  manyIn(false, [0], false),
  manyIn(1, [true], false),
  manyIn(0, [false], false),
  manyIn(1, [false, true], false),
  manyIn(true, [0, 1], false),
  manyIn(true, [true], true),
  manyIn(false, [false], true),
  manyIn(1, [1], true),
  manyIn(0, [0], true),
]

export const referenceOperators: readonly PublishedCase[] = [
  ...ofTexts,
  ...ofNumbers,
  ...ofDates,
  ...ofVersions,
  ...ofEquality,
  ...ofTruthAndNumbers,
]
