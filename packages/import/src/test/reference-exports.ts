import type { EvaluationContext } from '@halyard/core/evaluation'
import fc from 'fast-check'

const people = ['u1', 'u2', 'u3', 'u4']
const devices = ['d1', 'd2']

const keys = (pool: readonly string[]) => fc.uniqueArray(fc.constantFrom(...pool), { maxLength: 3 })

const clause = fc.oneof(
  fc.record({
    attribute: fc.constantFrom('country', '/address/country', 'key', 'groups', 'kind'),
    op: fc.constantFrom('in', 'startsWith', 'endsWith', 'contains', 'matches'),
    values: fc.uniqueArray(fc.constantFrom('de', 'fr', 'd', 'u1', 'user'), { maxLength: 2 }),
  }),
  fc.record({
    attribute: fc.constant('age'),
    op: fc.constantFrom('lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual', 'in'),
    values: fc.uniqueArray(fc.constantFrom<unknown>(18, 0, '18'), { maxLength: 2 }),
  }),
  fc.record({
    attribute: fc.constant('since'),
    op: fc.constantFrom('before', 'after'),
    values: fc.constantFrom([1_700_000_000_000], ['2023-11-14T22:13:20Z']),
  }),
  fc.record({
    attribute: fc.constant('version'),
    op: fc.constantFrom('semVerEqual', 'semVerLessThan', 'semVerGreaterThan'),
    values: fc.constantFrom(['2.0.0'], ['1.2']),
  }),
  fc.record({
    attribute: fc.constant('segmentMatch'),
    op: fc.constant('segmentMatch'),
    values: fc.constantFrom(['beta'], ['staff', 'beta'], ['gone']),
  }),
)

const clauses = fc.array(
  fc
    .tuple(clause, fc.boolean(), fc.constantFrom('user', 'user', 'device', undefined))
    .map(([item, negate, contextKind]) => ({
      ...item,
      negate,
      ...(contextKind === undefined ? {} : { contextKind }),
    })),
  { maxLength: 3 },
)

const withIds = <T extends object>(list: readonly T[], name: string) =>
  list.map((item, index) => ({ _id: `${name}-${index}`, ...item }))

const segment = fc
  .record({
    included: keys(people),
    excluded: keys(people),
    devices: keys(devices),
    rules: fc.array(fc.record({ clauses, weight: fc.constantFrom(undefined, 100_000, 0) }), { maxLength: 2 }),
  })
  .map(({ included, excluded, devices: values, rules }) => ({
    included,
    excluded,
    includedContexts: values.length === 0 ? [] : [{ contextKind: 'device', values }],
    excludedContexts: [],
    rules: withIds(rules, 'rule').map((rule) => ({ ...rule, clauses: withoutSegments(rule.clauses) })),
  }))

/**
 * Returns the clauses without those that refer to segments, so that segments cannot refer to each other in a cycle. Such
 * segments are malformed, but no evaluator reports that.
 */
function withoutSegments<Clause extends { readonly op: string }>(list: readonly Clause[]): Clause[] {
  return list.filter(({ op }) => op !== 'segmentMatch')
}

const serve = (count: number) =>
  fc.oneof(
    fc.nat(count - 1).map((variation) => ({ variation })),
    fc.nat(count - 1).map((variation) => ({
      rollout: { contextKind: 'user', variations: [{ variation, weight: 100_000 }] },
    })),
  )

const targets = (count: number) =>
  fc.tuple(keys(people), keys(devices), fc.nat(count - 1)).map(([users, others, variation]) => ({
    targets: users.length === 0 ? [] : [{ contextKind: 'user', values: users, variation }],
    contextTargets: [
      { contextKind: 'user', values: [], variation },
      ...(others.length === 0 ? [] : [{ contextKind: 'device', values: others, variation }]),
    ],
  }))

const values = fc.constantFrom<readonly unknown[]>([true, false], ['a', 'b', 'c'], [1, 2], [{ a: 1 }, { a: 2 }, []])

const flag = values.chain((list) =>
  fc.record({
    list: fc.constant(list),
    config: fc.record({
      on: fc.constantFrom(true, true, true, false),
      targets: targets(list.length),
      rules: fc.array(
        fc.tuple(clauses, serve(list.length)).map(([ruleClauses, served]) => ({ clauses: ruleClauses, ...served })),
        { maxLength: 3 },
      ),
      fallthrough: serve(list.length),
      offVariation: fc.option(fc.nat(list.length - 1), { nil: undefined }),
      prerequisite: fc.option(fc.nat(1), { nil: undefined }),
    }),
  }),
)

/** Responses of the API: pages of flags, and of segments of one environment. */
export const referencePages = fc
  .record({
    flags: fc.array(flag, { minLength: 1, maxLength: 4 }),
    segments: fc.tuple(segment, segment),
    split: fc.nat(4),
  })
  .map(({ flags, segments, split }) => {
    const items = flags.map(({ list, config }, index) => {
      const { targets: targetLists, prerequisite, rules, ...rest } = config
      return {
        key: `flag-${index}`,
        name: `Flag ${index}`,
        kind: list.length === 2 && typeof list[0] === 'boolean' ? 'boolean' : 'multivariate',
        variations: list.map((value, index) => ({ _id: `v${index}`, value })),
        temporary: true,
        tags: ['tagged'],
        archived: false,
        environments: {
          test: {
            ...rest,
            ...targetLists,
            rules: withIds(rules, 'rule'),
            prerequisites: index > 0 && prerequisite !== undefined ? [{ key: 'flag-0', variation: prerequisite }] : [],
            salt: `salt-${index}`,
            _environmentName: 'Test',
          },
        },
      }
    })
    const segmentItems = segments.map((item, index) => {
      const key = index === 0 ? 'beta' : 'staff'
      return { key, name: key, tags: [], ...item, _links: { self: { href: `/api/v2/segments/web/test/${key}` } } }
    })
    return [{ items: items.slice(0, split) }, { items: items.slice(split) }, { items: segmentItems }]
  })

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 4 })

const attributes = {
  country: optional(fc.constantFrom<unknown>('de', 'fr', 'd', ['de', 'x'], 5)),
  address: optional(fc.record({ country: optional(fc.constantFrom('de', 'us')) })),
  groups: optional(fc.constantFrom<unknown>(['de', 'd'], [], 'fr')),
  age: optional(fc.constantFrom<unknown>(0, 17, 18, 19, '18', [18, 40])),
  since: optional(fc.constantFrom<unknown>(1_699_999_999_999, 1_700_000_000_000, '2024-01-01T00:00:00Z', 'never')),
  version: optional(fc.constantFrom('1.2', '1.2.0', '2.0.0', '2.0.0-rc', '3')),
}

/** Contexts of users, of devices, and of both, with attributes of any type. */
export const referenceContexts: fc.Arbitrary<readonly EvaluationContext[]> = fc.array(
  fc
    .record({
      user: fc.option(fc.record({ key: fc.constantFrom(...people), ...attributes }), { nil: undefined, freq: 4 }),
      device: fc.option(fc.record({ key: fc.constantFrom(...devices), ...attributes }), { nil: undefined, freq: 1 }),
    })
    .map(({ user, device }): EvaluationContext => {
      if (user && device) return { kind: 'multi', user, device }
      return device ? { kind: 'device', ...device } : { kind: 'user', ...(user ?? { key: 'u1' }) }
    }),
  { minLength: 20, maxLength: 20 },
)
