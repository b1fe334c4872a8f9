import { describe, expect, it } from 'vitest'
import type { MovedProject } from '../moved-project.ts'
import { readGrowthbook } from './read-growthbook.ts'

function read(features: object, savedGroups: object = {}): MovedProject {
  const read = readGrowthbook([{ features, savedGroups }], {})
  if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
  return read.moved
}

const withRule = (rule: object) => read({ made: { defaultValue: false, rules: [{ force: true, ...rule }] } })

const configOf = ({ flags }: MovedProject, key = 'made') => flags.find((one) => one.key === key)?.configs.production

describe('a condition that no clause says', () => {
  it.each([
    [{ tags: { $size: 2 } }, 'operator $size'],
    [{ name: { $regexi: '^a' } }, 'operator $regexi'],
    [{ name: { $regex: '(?=a)' } }, '$regex (?=a)'],
    [{ name: { $gt: 'm' } }, '$gt "m"'],
    [{ version: { $vgt: '2' } }, '$vgt "2"'],
    [{ tags: ['a'] }, 'equality with ["a"]'],
    [{ address: { city: 'Rome' } }, 'equality with {"city":"Rome"}'],
    [{ tags: { $all: [{ $gt: 1 }] } }, '$all of conditions'],
    [{ orders: { $elemMatch: { total: { $gt: 1 } } } }, '$elemMatch of more than a comparison'],
    [{ data: { $type: 'object' } }, '$type object'],
    [{ kind: 'a' }, 'a condition on kind'],
    [{ 'orders.0': 1 }, 'a condition on orders.0'],
    [{ name: 'x'.repeat(1001) }, 'a long text'],
    [{ name: { $in: ['x'.repeat(1001)] } }, 'a long text'],
    [{ id: { $inGroup: 'odd' } }, 'saved group odd'],
  ])('matches nobody, negated or not, and is told: %j', (condition, what) => {
    for (const one of [condition, { $not: condition }, { $nor: [condition, { plan: 'gold' }] }]) {
      const moved = read(
        { made: { defaultValue: false, rules: [{ force: true, condition: one }] } },
        { odd: { type: 'odd' } },
      )
      expect(moved.losses).toMatchObject([{ flag: 'made', environment: 'production', what, affects: 'values' }])
      expect(configOf(moved)?.rules).toEqual([])
      expect(configOf(moved)?.fallthrough).toEqual({ variation: 1 })
    }
  })

  it('leaves what it is an alternative to', () => {
    const moved = withRule({ condition: { $or: [{ tags: { $size: 2 } }, { plan: 'gold' }] } })
    expect(configOf(moved)?.rules).toMatchObject([{ clauses: [{ attribute: 'plan', values: ['gold'] }], variation: 0 }])
  })
})

describe('what is told of a rule', () => {
  it.each([
    [{ contextualBanditRef: 'cb', contextualVariations: [true, false] }, ['bandit without a name', 'values']],
    [{ variations: [true, null], key: 'x' }, ['a rule that serves null', 'values']],
    [{ force: true, coverage: 0.5, hashAttribute: 'kind' }, ['a share by kind', 'values']],
    [
      { force: true, parentConditions: [{ id: 'other', condition: { value: true } }] },
      ['a rule where the flag other has a value', 'values'],
    ],
    [{ variations: [true, false], key: 'x', minBucketVersion: 2 }, ['sticky buckets of experiment x', 'shares']],
    [{ force: true, surprise: 'a' }, ['member surprise', 'nothing']],
  ])('%j', (rule, told) => {
    const { losses } = read({ made: { defaultValue: false, rules: [rule] } })
    expect(losses.map(({ what, affects }) => [what, affects])).toContainEqual(told)
  })

  it('that all who are not taken by the last rule have the default, in one rollout', () => {
    const moved = withRule({ coverage: 0.3, condition: { plan: 'gold' } })
    expect(configOf(moved)?.rules).toMatchObject([
      {
        clauses: [{ attribute: 'plan' }],
        rollout: {
          variations: [
            { variation: 0, weight: 30_000 },
            { variation: 1, weight: 70_000 },
          ],
        },
      },
    ])
  })

  it('that those who are not taken by an earlier rule go on, by a segment', () => {
    const rules = [
      { force: true, coverage: 0.3 },
      { force: true, condition: { plan: 'gold' } },
    ]
    const moved = read({ made: { defaultValue: false, rules } })
    const [first] = configOf(moved)?.rules ?? []
    expect(first).toMatchObject({ variation: 0, clauses: [{ op: 'segmentMatch' }] })
    const segment = moved.segments.find(({ key }) => key === first?.clauses[0]?.values[0])
    expect(segment?.rules).toEqual([{ clauses: [], weight: 30_000, rolloutContextKind: 'user' }])
  })
})

describe('what stops a flag', () => {
  const gate = (id: string, condition: object) => ({ parentConditions: [{ id, condition, gate: true }] })
  const onA = (
    condition: object,
    parent: object = { defaultValue: 'x', rules: [{ force: 'y', condition: { plan: 'gold' } }] },
  ) => read({ a: parent, made: { defaultValue: true, rules: [gate('a', condition)] } })

  it('is a prerequisite, where one variation meets it', () => {
    const moved = onA({ value: 'y' })
    expect(configOf(moved)).toMatchObject({ on: true, prerequisites: [{ key: 'a', variation: 1 }] })
    expect(moved.losses).toEqual([])
  })

  it('counts as met where every variation does, and says so', () => {
    const moved = onA({ value: { $exists: true } })
    expect(configOf(moved)).toMatchObject({ on: true, prerequisites: [] })
    expect(moved.losses).toMatchObject([{ flag: 'made', what: 'prerequisite a with any value', affects: 'nothing' }])
  })

  it('turns the flag off where several do, and says so', () => {
    const parent = {
      defaultValue: 'x',
      rules: [
        { force: 'y', condition: { id: 'a' } },
        { force: 'z', condition: { id: 'b' } },
      ],
    }
    const moved = onA({ value: { $in: ['y', 'z'] } }, parent)
    expect(configOf(moved)).toMatchObject({ on: false, prerequisites: [] })
    expect(moved.losses).toMatchObject([{ flag: 'made', what: 'prerequisite a', affects: 'values' }])
  })

  it('turns the flag off where nothing meets it, as it was', () => {
    const moved = onA({ value: 'z' })
    expect(configOf(moved)).toMatchObject({ on: false })
    expect(moved.losses).toEqual([])
  })

  it('turns flags off that need each other, as they were', () => {
    const of = (id: string) => ({ defaultValue: true, rules: [gate(id, { value: true })] })
    const moved = read({ made: of('other'), other: of('made') })
    expect([configOf(moved)?.on, configOf(moved, 'other')?.on]).toEqual([false, false])
    expect(configOf(moved)?.prerequisites).toEqual([])
  })

  it('is lost where it comes after other rules', () => {
    const rules = [
      { force: false, condition: { id: 'a' } },
      { ...gate('a', { value: 'y' }), force: true },
    ]
    const { losses } = read({ a: { defaultValue: 'x' }, made: { defaultValue: true, rules } })
    expect(losses).toMatchObject([
      { flag: 'made', affects: 'values', what: 'prerequisite a of a rule that comes after others' },
    ])
  })
})

describe('values', () => {
  it.each([
    [{ defaultValue: false }, [true, false]],
    [{ defaultValue: 'a' }, ['a', '']],
    [{ defaultValue: '' }, ['', 'unused']],
    [{ defaultValue: 0 }, [0, 1]],
    [{ defaultValue: { a: 1 } }, [{ a: 1 }, {}]],
    [{ defaultValue: { a: 1, b: 2 }, rules: [{ force: { b: 2, a: 1 } }] }, [{ a: 1, b: 2 }, {}]],
  ])('of %j are variations, of which a flag has two', (feature, values) => {
    expect(read({ made: feature }).flags[0]?.variations?.map(({ value }) => value)).toEqual(values)
  })

  it('of null leave whoever asks with their own default', () => {
    const moved = read({ made: { rules: [] } })
    expect(configOf(moved)).toMatchObject({ on: false })
    expect(configOf(moved)).not.toHaveProperty('offVariation')
    expect(moved.losses).toEqual([])
  })
})

it('knows saved groups of lists by each attribute that they are compared with', () => {
  const condition = { $or: [{ id: { $inGroup: 'staff' } }, { boss: { $inGroup: 'staff' } }] }
  const moved = read({ made: { defaultValue: false, rules: [{ force: true, condition }] } }, { staff: ['ann', 7] })
  expect(moved.segments.map(({ key, rules }) => [key, rules[0]?.clauses[0]?.attribute])).toEqual([
    ['staff', 'key'],
    ['staff-by-boss', 'boss'],
  ])
  expect(moved.losses).toEqual([])
})
