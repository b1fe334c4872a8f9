import { describe, expect, it } from 'vitest'
import type { ImportedProject } from '../imported-project.ts'
import { readFlagsmith } from './read-flagsmith.ts'

const feature = { id: 1, name: 'made' }

const state = (enabled: boolean, value: unknown, overrides: object = {}) => ({
  feature,
  enabled,
  feature_state_value: value,
  ...overrides,
})

function read(base: object, segments: readonly object[] = [], identities: readonly object[] = []): ImportedProject {
  const read = readFlagsmith([{ project: { segments }, feature_states: [base], identity_overrides: identities }], {})
  if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
  return read.importedProject
}

const segment = (id: number, conditions: readonly object[], states: readonly object[], type = 'ALL') => ({
  id,
  name: `s${id}`,
  rules: [{ type, conditions, rules: [] }],
  feature_states: states,
})

const lossSummary = ({ losses }: ImportedProject) => losses.map(({ what: lossName, affects }) => [lossName, affects])
const configOf = ({ flags }: ImportedProject) => flags[0]?.configs.production

describe('a condition that clauses cannot express', () => {
  it.each([
    [{ operator: 'MODULO', property_: 'n', value: '2|0' }, 'a condition MODULO'],
    [{ operator: 'GREATER_THAN', property_: 'n', value: 'm' }, 'GREATER_THAN "m"'],
    [{ operator: 'LESS_THAN', property_: 'n', value: '1.2:semver' }, 'LESS_THAN "1.2:semver"'],
    [{ operator: 'REGEX', property_: 'n', value: '(?!a)' }, 'REGEX "(?!a)"'],
    [{ operator: 'EQUAL', property_: '$.environment.name', value: 'a' }, 'a condition on $.environment.name'],
    [{ operator: 'EQUAL', property_: 'key', value: 'a' }, 'a condition on key'],
    [
      { operator: 'PERCENTAGE_SPLIT', property_: '$.environment.name', value: '5' },
      'PERCENTAGE_SPLIT by $.environment.name',
    ],
    [{ operator: 'EQUAL', property_: 'n', value: 'x'.repeat(1001) }, 'EQUAL with a long text'],
    [{ operator: 'LATER', property_: 'n', value: '1' }, 'a condition LATER'],
  ])('matches no context, negated or not, and is reported: %j', (condition, lossName) => {
    for (const type of ['ALL', 'ANY', 'NONE']) {
      const importedProject = read(state(false, null), [segment(1, [condition], [state(true, null)], type)])
      expect(importedProject.losses).toContainEqual(
        expect.objectContaining({ segment: 's1', what: lossName, affects: 'values' }),
      )
      expect(importedProject.losses).toContainEqual(expect.objectContaining({ flag: 'made', affects: 'values' }))
      expect(importedProject.segments[0]?.rules).toEqual([])
    }
  })
})

describe('a feature', () => {
  it('without values becomes a flag with the values true and false', () => {
    const importedProject = read(state(true, ''))
    expect(importedProject.flags[0]?.variations).toEqual([{ value: true }, { value: false }])
    expect(configOf(importedProject)).toMatchObject({ on: true, fallthrough: { variation: 0 }, offVariation: 1 })
  })

  it.each([
    [
      ['a', 'b'],
      ['a', 'b', ''],
    ],
    [
      [1, 2],
      [1, 2, 0],
    ],
    [
      [true, true],
      [true, false],
    ],
  ])('with the values %j has an additional value for off', (values, variations) => {
    const [base, other] = values
    const importedProject = read(state(true, base), [segment(1, [], [state(true, other)])])
    expect(importedProject.flags[0]?.variations?.map(({ value }) => value)).toEqual(variations)
    expect(importedProject.flags[0]?.variations?.at(-1)?.name).toBe('off')
    expect(importedProject.losses).toEqual([])
  })

  it('with a value that equals the off value is reported', () => {
    expect(lossSummary(read(state(true, 0), [segment(1, [], [state(true, 5)])]))).toEqual([
      ['on with the value 0 or none', 'values'],
    ])
    expect(lossSummary(read(state(true, null), [segment(1, [], [state(true, 'a')])]))).toEqual([
      ['on with the value "" or none', 'values'],
    ])
  })

  it('is imported with texts when its values have several types', () => {
    const importedProject = read(state(true, 5), [segment(1, [], [state(true, 'a')])])
    expect(importedProject.flags[0]?.variations?.map(({ value }) => value)).toEqual(['5', 'a', ''])
    expect(lossSummary(importedProject)).toEqual([['values of several types', 'values']])
  })

  it('that only a segment receives is on, and serves the off variation to all others', () => {
    const importedProject = read(state(false, 'a'), [segment(1, [], [state(true, 'b')])])
    expect(configOf(importedProject)).toMatchObject({
      on: true,
      fallthrough: { variation: 2 },
      rules: [{ variation: 1 }],
    })
  })

  it('has its overrides ordered by priority, then by id', () => {
    const stateWithPriority = (priority: number | null) => [
      state(true, 'b', { feature_segment: priority === null ? null : { priority } }),
    ]
    const list = [
      segment(9, [], stateWithPriority(null)),
      segment(3, [], stateWithPriority(null)),
      segment(5, [], stateWithPriority(2)),
      segment(7, [], stateWithPriority(0)),
    ]
    const { rules } = configOf(read(state(true, 'a'), list)) ?? { rules: [] }
    expect(rules.map(({ clauses }) => clauses[0]?.values[0])).toEqual(['s7', 's5', 's3', 's9'])
  })

  it('has its variants as a rollout, and a variant of 100 percent as a variation', () => {
    const variants = (percentage: number) => ({
      multivariate_feature_state_values: [
        { percentage_allocation: percentage, multivariate_feature_option: { value: 'b' } },
      ],
    })
    const rollout = configOf(read(state(true, 'a', variants(12.5))))?.fallthrough.rollout
    expect(rollout?.variations).toEqual([
      { variation: 1, weight: 12_500 },
      { variation: 0, weight: 87_500 },
    ])
    expect(configOf(read(state(true, 'a', variants(100))))?.fallthrough).toEqual({ variation: 1 })
    const overridden = [{ identifier: 'ann', identity_features: [state(true, 'a', variants(50))] }]
    expect(lossSummary(read(state(true, 'a'), [], overridden))).toEqual([
      ['variants of an identity override', 'values'],
    ])
  })

  it('has targets for the overrides of identities', () => {
    const identityWith = (identifier: string, value: unknown) => ({
      identifier,
      identity_features: [state(value !== null, value)],
    })
    const importedProject = read(
      state(true, 'a'),
      [],
      [identityWith('ann', 'b'), identityWith('bob', null), identityWith('kim', 'b')],
    )
    expect(configOf(importedProject)?.targets).toEqual([
      { contextKind: 'user', variation: 1, values: ['ann', 'kim'] },
      { contextKind: 'user', variation: 2, values: ['bob'] },
    ])
  })
})

it('stored traits and unknown properties are reported as losses', () => {
  const identity = {
    identifier: 'ann',
    identity_features: [],
    identity_traits: [{ trait_key: 'plan', trait_value: 'a' }],
  }
  expect(lossSummary(read(state(true, null, { owner: 'bob' }), [], [identity]))).toEqual([
    ['property owner', 'nothing'],
    ['stored traits of an identity', 'values'],
  ])
})
