import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longTests } from '../../../../test/setup/long-tests.ts'
import { compareExport } from '../test/compare-export.ts'
import { flagsmithFormat } from './flagsmith-format.ts'

const exports = longTests ? 100 : 4

const percentage = fc.constantFrom(0, 5, 30, 50, 100)

const variants = fc
  .tuple(percentage, percentage)
  .map(([a, b]) => [a, Math.min(b, 100 - a)])
  .map((list) =>
    list.map((percentage_allocation, index) => ({
      id: index + 1,
      percentage_allocation,
      multivariate_feature_option: { id: index + 1, value: `variant ${index}` },
    })),
  )

const feature = { id: 1, name: 'made', type: 'MULTIVARIATE' }

const state = (django_id: number, feature_segment: object | null) =>
  fc.record({
    django_id: fc.constant(django_id),
    feature: fc.constant(feature),
    enabled: fc.boolean(),
    feature_state_value: fc.constant('control'),
    feature_segment: fc.constant(feature_segment),
    multivariate_feature_state_values: variants,
  })

const condition = fc.oneof(
  fc
    .constantFrom('', '$.identity.key')
    .chain((property_) =>
      percentage.map((value) => ({ property_, operator: 'PERCENTAGE_SPLIT', value: String(value) })),
    ),
  fc.constant({ property_: 'plan', operator: 'EQUAL', value: 'gold' }),
  fc.constant({ property_: 'plan', operator: 'IS_NOT_SET', value: null }),
)

/** At most one split, because in Flagsmith two splits in one segment depend on each other. */
const conditions = fc.uniqueArray(condition, { minLength: 1, maxLength: 2, selector: ({ operator }) => operator })

const segment = fc.record({
  id: fc.constant(4),
  name: fc.constant('Some'),
  rules: fc.tuple(fc.record({ type: fc.constantFrom('ALL', 'ANY', 'NONE'), conditions, rules: fc.constant([]) })),
  feature_states: fc.tuple(state(11, { priority: 0 })),
})

const document = fc.record({
  id: fc.constant(1),
  api_key: fc.constant('key'),
  project: fc.record({ id: fc.constant(1), name: fc.constant('shop'), segments: fc.tuple(segment) }),
  feature_states: fc.tuple(state(10, null)),
})

const people = Array.from({ length: 100 }, (_, index) => ({
  kind: 'user',
  key: `person-${index}`,
  ...(index % 3 === 0 ? {} : { plan: index % 3 === 1 ? 'gold' : 'silver' }),
}))

it(`Halyard imports ${exports} random features with the shares that Flagsmith's SDK serves`, {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(document, async (exported) => {
      const comparison = await compareExport(flagsmithFormat, [exported], {
        contexts: people,
        sampled: 20,
        written: false,
      })
      expect(comparison.lossesOf('made', ['values'])).toEqual([])
      expect(comparison.comparisons.map(({ verdict }) => verdict)).not.toContain('differs')
    }),
    { numRuns: exports },
  )
})
