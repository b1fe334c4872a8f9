import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longTests } from '../../../../test/setup/long-tests.ts'
import { compareExport } from '../test/compare-export.ts'
import { growthbookFormat } from './growthbook-format.ts'

const exports = longTests ? 200 : 6

const part = fc.constantFrom(0, 0.05, 0.25, 0.5, 0.9, 1)
const value = fc.constantFrom('a', 'b', 'c')
const hashAttribute = fc.constantFrom('id', 'company')
const condition = fc.constantFrom({}, { plan: 'gold' }, { plan: { $ne: 'gold' } })

const rollout = fc.record({ force: value, coverage: part, hashAttribute, condition })
const range = fc.tuple(part, part).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])
const ranged = fc.record({ force: value, range, hashAttribute })
const experiment = fc.record({
  variations: fc.tuple(value, value, value),
  weights: fc.constantFrom([0.2, 0.3, 0.5], [1, 0, 0], undefined),
  coverage: part,
  hashAttribute,
  condition,
  meta: fc.constantFrom(undefined, [{ key: '0' }, { key: '1', passthrough: true }, { key: '2' }]),
  namespace: fc.constantFrom(undefined, ['shared', 0.2, 0.7]),
})

const feature = fc.record({
  defaultValue: value,
  rules: fc.array(fc.oneof(rollout, ranged, experiment), { minLength: 1, maxLength: 3 }),
})

/** People, each of whom has a different company, or no company. */
const people = Array.from({ length: 120 }, (_, index) => ({
  kind: 'user',
  key: `person-${index}`,
  ...(index % 3 === 0 ? {} : { company: `company-${index}` }),
  ...(index % 2 === 0 ? { plan: 'gold' } : {}),
}))

it(`Halyard imports ${exports} random features with the shares that GrowthBook's SDK serves`, {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(feature, async (made) => {
      // Converted to JSON and back, which removes undefined properties.
      const payload = JSON.parse(JSON.stringify({ features: { made: withSeeds(made) } }))
      const comparison = await compareExport(growthbookFormat, [payload], {
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

/**
 * Gives each rule a seed of its own. Rules with the same hash select the same contexts, which imported rules cannot
 * express, because their shares are decided independently.
 */
function withSeeds({ rules, ...rest }: { readonly rules: readonly object[]; readonly defaultValue: string }): object {
  return { ...rest, rules: rules.map((rule, index) => ({ ...rule, seed: `seed-${index}`, hashVersion: 2 })) }
}
