import { describe, expect, it } from 'vitest'
import type { ImportedProject } from '../imported-project.ts'
import { readGrowthbook } from './read-growthbook.ts'

function read(features: object, savedGroups: object = {}): ImportedProject {
  const read = readGrowthbook([{ features, savedGroups }], {})
  if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
  return read.importedProject
}

const withRule = (rule: object) => read({ made: { defaultValue: false, rules: [{ force: true, ...rule }] } })

const configOf = ({ flags }: ImportedProject, key = 'made') =>
  flags.find((flag) => flag.key === key)?.configs.production

describe('a condition that clauses cannot express', () => {
  it.each([
    [{ tags: { $size: 2 } }, 'operator $size'],
    [{ name: { $regexi: '^a' } }, 'operator $regexi'],
    [{ name: { $regex: '(?=a)' } }, '$regex (?=a)'],
    [{ name: { $gt: 'm' } }, '$gt "m"'],
    [{ version: { $vgt: '2' } }, '$vgt "2"'],
    [{ tags: ['a'] }, 'equality with ["a"]'],
    [{ address: { city: 'Rome' } }, 'equality with {"city":"Rome"}'],
    [{ tags: { $all: [{ $gt: 1 }] } }, '$all of conditions'],
    [{ orders: { $elemMatch: { total: { $gt: 1 } } } }, '$elemMatch with anything but one comparison'],
    [{ data: { $type: 'object' } }, '$type object'],
    [{ kind: 'a' }, 'a condition on kind'],
    [{ 'orders.0': 1 }, 'a condition on orders.0'],
    [{ name: 'x'.repeat(1001) }, 'a long text'],
    [{ name: { $in: ['x'.repeat(1001)] } }, 'a long text'],
    [{ id: { $inGroup: 'odd' } }, 'saved group odd'],
  ])('matches no context, negated or not, and is reported: %j', (condition, lossName) => {
    for (const variant of [condition, { $not: condition }, { $nor: [condition, { plan: 'gold' }] }]) {
      const importedProject = read(
        { made: { defaultValue: false, rules: [{ force: true, condition: variant }] } },
        { odd: { type: 'odd' } },
      )
      expect(importedProject.losses).toMatchObject([
        { flag: 'made', environment: 'production', what: lossName, affects: 'values' },
      ])
      expect(configOf(importedProject)?.rules).toEqual([])
      expect(configOf(importedProject)?.fallthrough).toEqual({ variation: 1 })
    }
  })

  it('does not remove the other alternatives of a disjunction', () => {
    const importedProject = withRule({ condition: { $or: [{ tags: { $size: 2 } }, { plan: 'gold' }] } })
    expect(configOf(importedProject)?.rules).toMatchObject([
      { clauses: [{ attribute: 'plan', values: ['gold'] }], variation: 0 },
    ])
  })
})

describe('the losses of a rule', () => {
  it.each([
    [{ contextualBanditRef: 'cb', contextualVariations: [true, false] }, ['bandit without a name', 'values']],
    [{ variations: [true, null], key: 'x' }, ['a rule that serves null', 'values']],
    [{ force: true, coverage: 0.5, hashAttribute: 'kind' }, ['a share by kind', 'values']],
    [
      { force: true, parentConditions: [{ id: 'other', condition: { value: true } }] },
      ['a rule where the flag other has a value', 'values'],
    ],
    [{ variations: [true, false], key: 'x', minBucketVersion: 2 }, ['sticky buckets of experiment x', 'shares']],
    [{ force: true, surprise: 'a' }, ['property surprise', 'nothing']],
  ])('are reported for the rule %j', (rule, loss) => {
    const { losses } = read({ made: { defaultValue: false, rules: [rule] } })
    expect(losses.map(({ what: lossName, affects }) => [lossName, affects])).toContainEqual(loss)
  })
})

describe('a rule for a share of contexts', () => {
  it('becomes a rollout that serves the default to all others when no rule follows', () => {
    const importedProject = withRule({ coverage: 0.3, condition: { plan: 'gold' } })
    expect(configOf(importedProject)?.rules).toMatchObject([
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

  it('matches a segment with that share when a rule follows, so that all others continue to the next rule', () => {
    const rules = [
      { force: true, coverage: 0.3 },
      { force: true, condition: { plan: 'gold' } },
    ]
    const importedProject = read({ made: { defaultValue: false, rules } })
    const [first] = configOf(importedProject)?.rules ?? []
    expect(first).toMatchObject({ variation: 0, clauses: [{ op: 'segmentMatch' }] })
    const segment = importedProject.segments.find(({ key }) => key === first?.clauses[0]?.values[0])
    expect(segment?.rules).toEqual([{ clauses: [], weight: 30_000, rolloutContextKind: 'user' }])
  })
})

describe('a prerequisite that blocks a flag', () => {
  const gate = (id: string, condition: object) => ({ parentConditions: [{ id, condition, gate: true }] })
  const readWithParent = (
    condition: object,
    parent: object = { defaultValue: 'x', rules: [{ force: 'y', condition: { plan: 'gold' } }] },
  ) => read({ a: parent, made: { defaultValue: true, rules: [gate('a', condition)] } })

  it('becomes a prerequisite when one variation meets it', () => {
    const importedProject = readWithParent({ value: 'y' })
    expect(configOf(importedProject)).toMatchObject({ on: true, prerequisites: [{ key: 'a', variation: 1 }] })
    expect(importedProject.losses).toEqual([])
  })

  it('counts as met when every variation does, which is reported', () => {
    const importedProject = readWithParent({ value: { $exists: true } })
    expect(configOf(importedProject)).toMatchObject({ on: true, prerequisites: [] })
    expect(importedProject.losses).toMatchObject([
      { flag: 'made', what: 'prerequisite a with any value', affects: 'nothing' },
    ])
  })

  it('turns the flag off when several variations meet it, which is reported', () => {
    const parent = {
      defaultValue: 'x',
      rules: [
        { force: 'y', condition: { id: 'a' } },
        { force: 'z', condition: { id: 'b' } },
      ],
    }
    const importedProject = readWithParent({ value: { $in: ['y', 'z'] } }, parent)
    expect(configOf(importedProject)).toMatchObject({ on: false, prerequisites: [] })
    expect(importedProject.losses).toMatchObject([{ flag: 'made', what: 'prerequisite a', affects: 'values' }])
  })

  it('turns the flag off when no variation meets it, as the original did', () => {
    const importedProject = readWithParent({ value: 'z' })
    expect(configOf(importedProject)).toMatchObject({ on: false })
    expect(importedProject.losses).toEqual([])
  })

  it('turns off flags that depend on each other, as the original did', () => {
    const featureRequiring = (id: string) => ({ defaultValue: true, rules: [gate(id, { value: true })] })
    const importedProject = read({ made: featureRequiring('other'), other: featureRequiring('made') })
    expect([configOf(importedProject)?.on, configOf(importedProject, 'other')?.on]).toEqual([false, false])
    expect(configOf(importedProject)?.prerequisites).toEqual([])
  })

  it('is lost when it comes after other rules', () => {
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
  ])('of %j become at least two variations', (feature, values) => {
    expect(read({ made: feature }).flags[0]?.variations?.map(({ value }) => value)).toEqual(values)
  })

  it("of null return the caller's default", () => {
    const importedProject = read({ made: { rules: [] } })
    expect(configOf(importedProject)).toMatchObject({ on: false })
    expect(configOf(importedProject)).not.toHaveProperty('offVariation')
    expect(importedProject.losses).toEqual([])
  })
})

it('saved groups of lists become a segment for each attribute that they are compared with', () => {
  const condition = { $or: [{ id: { $inGroup: 'staff' } }, { boss: { $inGroup: 'staff' } }] }
  const importedProject = read(
    { made: { defaultValue: false, rules: [{ force: true, condition }] } },
    { staff: ['ann', 7] },
  )
  expect(importedProject.segments.map(({ key, rules }) => [key, rules[0]?.clauses[0]?.attribute])).toEqual([
    ['staff', 'key'],
    ['staff-by-boss', 'boss'],
  ])
  expect(importedProject.losses).toEqual([])
})
