import fc from 'fast-check'
import type { ClauseData, FlagData, FlagRuleData, SegmentData, SegmentRuleData, ServeData } from '../flag-data.ts'
import type { EvaluationContext } from '../subject.ts'

/**
 * Flags and segments that refer to each other, with contexts that use the same few words, so that many clauses match.
 */
export interface RandomEnvironment {
  readonly flags: readonly FlagData[]
  readonly segments: readonly SegmentData[]
  readonly contexts: readonly EvaluationContext[]
}

const flagKeys = ['f0', 'f1', 'f2', 'f3', 'f4'] as const
const segmentKeys = ['s0', 's1', 's2'] as const
const keys = [
  'a',
  'b',
  'c',
  'd',
  'ü',
  '名前 with a key that is longer than one block of a hash can hold, so there are two',
] as const
const kinds = ['user', 'org'] as const
const texts = ['a', 'ab', 'abc', 'b', 'B', '', '1', 'true', 'a.c'] as const
const numbers = [-1, 0, 1, 1.5, 2, 1_512_543_600_000] as const
const dates = [
  '2017-12-06T00:00:00.000-07:00',
  '2017-12-06T07:00:00Z',
  '2017-12-06T07:01:01.5Z',
  '2017-12-06',
  '1512543600000',
] as const
const versions = [
  '2',
  '2.0',
  '2.0.0',
  '2.0.1',
  '2.0.0-rc.1',
  '2-rc.10',
  '2.0.0+build',
  '02.0.0',
  'v2.0.0',
  '2.0.0.0',
] as const
const operators: readonly string[] = [
  'in',
  'startsWith',
  'endsWith',
  'contains',
  'matches',
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
  'before',
  'after',
  'semVerEqual',
  'semVerLessThan',
  'semVerGreaterThan',
  'nobodyKnowsThis',
]
const patterns = ['^a', 'b$', 'a.c', '[a-c]+', '(', 'a|b', '^(a|b)*$', '\\d', '(?=a)b?a'] as const

const scalar = fc.oneof(
  fc.constantFrom<unknown>(...texts),
  fc.constantFrom<unknown>(...numbers),
  fc.constantFrom<unknown>(...dates),
  fc.constantFrom<unknown>(...versions),
  fc.boolean(),
)

const attributeValue = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  {
    weight: 2,
    arbitrary: fc.record(
      { city: scalar, 'a/b': scalar, list: fc.array(scalar, { maxLength: 2 }) },
      { requiredKeys: [] },
    ),
  },
)

const attributes = fc.record(
  { key: fc.constantFrom(...keys), one: attributeValue, two: attributeValue, name: scalar, anonymous: fc.boolean() },
  { requiredKeys: ['key'] },
)

const context: fc.Arbitrary<EvaluationContext> = fc.oneof(
  fc.tuple(fc.constantFrom(...kinds), attributes).map(([kind, rest]) => ({ ...rest, kind })),
  fc.tuple(attributes, attributes).map(([user, org]) => ({ kind: 'multi', org, user })),
  attributes.map(({ key, one, name, anonymous }) => ({ key, name, anonymous, custom: { one, two: [one] } })),
  fc.constantFrom<EvaluationContext>(
    { kind: 'user' },
    { kind: 'kind', key: 'a' },
    { kind: 'multi' },
    { kind: 'user', key: '' },
    { kind: 'not a kind', key: 'a' },
    { kind: 'multi', user: { key: 'a' }, org: { key: '' } },
  ),
)

const contextKind = fc.constantFrom(undefined, ...kinds, 'device')
const reference = fc.constantFrom(
  'one',
  'two',
  'key',
  'kind',
  'anonymous',
  'name',
  '/one',
  '/one/city',
  '/one/a~1b',
  '/two/list',
  'none',
)

const plainClause: fc.Arbitrary<ClauseData> = fc
  .tuple(fc.constantFrom(...operators), contextKind, reference, fc.boolean())
  .chain(([op, kind, attribute, negate]) =>
    fc.array(valueFor(op), { maxLength: 3 }).map((values) => ({ op, contextKind: kind, attribute, values, negate })),
  )

function valueFor(op: string): fc.Arbitrary<unknown> {
  if (op === 'matches') return fc.constantFrom(...patterns)
  if (op.startsWith('semVer')) return fc.oneof({ weight: 9, arbitrary: fc.constantFrom<unknown>(...versions) }, scalar)
  if (op === 'before' || op === 'after') return fc.constantFrom<unknown>(...dates, ...numbers)
  return scalar
}

/** Clauses that may turn out malformed come last: see docs/decisions/0024-evaluate-flags-synchronously.md. */
const lastClause: fc.Arbitrary<ClauseData> = fc.oneof(
  plainClause,
  fc.record({
    op: fc.constant('segmentMatch'),
    attribute: fc.constant(''),
    values: fc.subarray<unknown>([...segmentKeys, 'no such segment']),
    negate: fc.boolean(),
  }),
  fc.constantFrom<ClauseData>(
    { op: 'in', contextKind: 'user', attribute: '', values: ['a'] },
    { op: 'in', contextKind: 'user', attribute: '/one//city', values: ['a'] },
  ),
)

const clauses = fc
  .tuple(fc.array(plainClause, { maxLength: 1 }), fc.array(lastClause, { minLength: 0, maxLength: 1 }))
  .map(([before, last]) => [...before, ...last])

const bucketBy = fc.constantFrom(undefined, 'key', 'one', '/one/city', 'none')
const weight = fc.constantFrom(0, 1, 20_000, 33_333, 50_000, 100_000)

/** At most four variations, of which a flag has three. */
const variation = fc.oneof({ weight: 30, arbitrary: fc.constantFrom(0, 1, 2) }, fc.constantFrom(-1, 3))

const serve: fc.Arbitrary<ServeData> = fc.oneof(
  fc.record({ variation }),
  fc.record({
    rollout: fc.record(
      {
        kind: fc.constantFrom('rollout', 'experiment'),
        contextKind,
        bucketBy,
        seed: fc.constantFrom(undefined, 61),
        variations: fc
          .array(fc.record({ variation, weight, untracked: fc.boolean() }), { minLength: 0, maxLength: 3 })
          .filter((shares) => shares.length === 0 || shares.some((share) => share.weight > 0)),
      },
      { requiredKeys: ['variations'] },
    ),
  }),
)

const flagRule: fc.Arbitrary<FlagRuleData> = fc
  .tuple(serve, clauses)
  .map(([served, list]) => ({ ...served, clauses: list }))

const targetValues = fc.subarray([...keys], { minLength: 1, maxLength: 2 })

function flag(index: number, hasCycles: boolean): fc.Arbitrary<FlagData> {
  const later = flagKeys.slice(index + 1)
  return fc
    .record({
      on: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.boolean()),
      salt: fc.constantFrom('salt', 'pepper'),
      offVariation: fc.oneof({ weight: 3, arbitrary: variation }, fc.constant(undefined)),
      // In an environment with cycles, every flag in a cycle has a prerequisite: see
      // docs/decisions/0024-evaluate-flags-synchronously.md.
      others: hasCycles
        ? fc.constantFrom(...flagKeys).map((key) => [key])
        : fc
            .tuple(
              fc.subarray([...later], { maxLength: Math.min(2, later.length) }),
              fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, fc.constant(['no such flag'])),
            )
            .map((lists) => lists.flat()),
      wanted: fc.constantFrom(0, 1, 2),
      targets: fc.array(fc.record({ variation, values: targetValues }), { maxLength: 2 }),
      contextTargets: fc.array(
        fc.record({ contextKind: fc.constantFrom('user', 'org'), variation, values: targetValues }),
        { maxLength: 2 },
      ),
      rules: fc.array(flagRule, { maxLength: 3 }),
      fallthrough: serve,
    })
    .map(({ others, wanted, rules, ...rest }) => ({
      ...rest,
      key: flagKeys[index] as string,
      version: 1,
      variations: ['zero', { one: [1] }, 2],
      prerequisites: others.map((key) => ({ key, variation: wanted })),
      rules: rules.map((rule, index) => ({ ...rule, id: `rule-${index}` })),
    }))
}

const segmentRule: fc.Arbitrary<SegmentRuleData> = fc.record(
  { clauses, weight, bucketBy, rolloutContextKind: contextKind },
  { requiredKeys: ['clauses'] },
)

function segment(key: string): fc.Arbitrary<SegmentData> {
  const lists = fc.array(fc.record({ contextKind: fc.constantFrom(...kinds), values: targetValues }), { maxLength: 1 })
  return fc
    .record({
      included: fc.subarray([...keys], { maxLength: 1 }),
      excluded: fc.subarray([...keys], { maxLength: 1 }),
      includedContexts: lists,
      excludedContexts: lists,
      rules: fc.array(segmentRule, { maxLength: 2 }),
      unbounded: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
      generation: fc.constantFrom(undefined, 2),
    })
    .map((rest) => ({ ...rest, key, version: 1, salt: 'segment-salt' }))
}

export const randomEnvironment: fc.Arbitrary<RandomEnvironment> = fc.record({
  flags: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(...flagKeys.map((_, index) => flag(index, false))) },
    fc.tuple(...flagKeys.map((_, index) => flag(index, true))),
  ),
  segments: fc.tuple(...segmentKeys.map(segment)),
  contexts: fc.array(context, { minLength: 4, maxLength: 4 }),
})
