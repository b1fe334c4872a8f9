import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustedPValues } from './adjusted-p-values.ts'
import { compareMeans } from './compare-means.ts'
import type { ComparisonMethod } from './comparison.ts'
import { type MetricEstimate, proportionOf } from './metric-estimate.ts'
import { expectedLosses, probabilityToBeBest } from './probability-to-be-best.ts'

const estimate: fc.Arbitrary<MetricEstimate> = fc.record({
  units: fc.integer({ min: 100, max: 1_000_000 }),
  value: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  standardError: fc.double({ min: 1e-3, max: 1e5, noNaN: true }),
})

const proportion = fc
  .tuple(fc.integer({ min: 100, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([units, share]) => {
    const sum = Math.round(units * share)
    return proportionOf({ units, sum, sumOfSquares: sum }) as MetricEstimate
  })
const pairs = fc.oneof(fc.tuple(estimate, estimate), fc.tuple(proportion, proportion))
const method = fc.constantFrom<ComparisonMethod>('frequentist', 'sequential', 'bayesian')
const level = fc.double({ min: 1e-4, max: 0.5, noNaN: true })

describe('comparisons', () => {
  it('contain the estimate in each interval, and 0 exactly if the verdict is inconclusive', () => {
    fc.assert(
      fc.property(pairs, method, level, ([control, treatment], method, level) => {
        const comparison = compareMeans(control, treatment, { method, level }) ?? expect.fail()
        const { difference, relativeDifference, verdict } = comparison
        for (const { lower, estimate, upper } of relativeDifference ? [difference, relativeDifference] : [difference]) {
          expect(lower).toBeLessThanOrEqual(estimate)
          expect(estimate).toBeLessThanOrEqual(upper)
        }
        expect(verdict).toBe(difference.lower > 0 ? 'better' : difference.upper < 0 ? 'worse' : 'inconclusive')
        if ('pValue' in comparison && Math.abs(comparison.pValue / level - 1) > 1e-6)
          expect(comparison.pValue < level).toBe(verdict !== 'inconclusive')
      }),
      { numRuns: 60 },
    )
  })

  it('reverse the sign of the difference when control and treatment are exchanged', () => {
    fc.assert(
      fc.property(pairs, method, ([control, treatment], method) => {
        const { difference, ...forward } = compareMeans(control, treatment, { method }) ?? expect.fail()
        const { difference: reverse, ...backward } = compareMeans(treatment, control, { method }) ?? expect.fail()
        const scale = Math.max(difference.upper - difference.lower, Math.abs(difference.estimate))
        for (const [one, other] of [
          [difference.estimate, reverse.estimate],
          [difference.lower, reverse.upper],
          [difference.upper, reverse.lower],
        ] as const)
          expect(Math.abs(one + other)).toBeLessThanOrEqual(scale * 1e-9)
        if ('pValue' in forward && 'pValue' in backward) expect(backward.pValue).toBeCloseTo(forward.pValue, 12)
        if ('expectedLoss' in forward && 'expectedLoss' in backward) {
          expect(forward.probabilityToBeatControl + backward.probabilityToBeatControl).toBeCloseTo(1, 9)
          // The gain of one choice is the loss of the other.
          expect(Math.abs(backward.expectedLoss - forward.expectedLoss - difference.estimate)).toBeLessThan(
            scale * 1e-9,
          )
        }
      }),
      { numRuns: 40 },
    )
  })

  it('give the opposite verdict for the opposite direction', () => {
    const opposite = { better: 'worse', worse: 'better', inconclusive: 'inconclusive' } as const
    fc.assert(
      fc.property(pairs, method, ([control, treatment], method) => {
        const up = compareMeans(control, treatment, { method, direction: 'increase' }) ?? expect.fail()
        const down = compareMeans(control, treatment, { method, direction: 'decrease' }) ?? expect.fail()
        expect(down.verdict).toBe(opposite[up.verdict])
      }),
      { numRuns: 40 },
    )
  })

  it('have a smaller p value for a larger difference, and a wider interval for a smaller level', () => {
    fc.assert(
      fc.property(estimate, fc.constantFrom('frequentist', 'sequential'), (control, method) => {
        const results = [0.5, 1, 2, 4].map(
          (steps) =>
            compareMeans(
              control,
              { ...control, value: control.value + steps * control.standardError },
              { method, level: 0.1 / steps },
            ) ?? expect.fail(),
        )
        for (const [i, { pValue, difference }] of results.entries()) {
          const { pValue: before = 1, difference: narrower } = results[i - 1] ?? {}
          expect(pValue).toBeLessThanOrEqual(before)
          if (narrower) expect(difference.upper - difference.lower).toBeGreaterThan(narrower.upper - narrower.lower)
        }
      }),
    )
  })

  it('of the sequential method are never narrower than intervals of the frequentist method', () => {
    fc.assert(
      fc.property(fc.tuple(estimate, estimate), level, ([control, treatment], level) => {
        const width = (method: 'frequentist' | 'sequential') => {
          const { upper, lower } = compareMeans(control, treatment, { method, level })?.difference ?? expect.fail()
          return upper - lower
        }
        expect(width('sequential')).toBeGreaterThan(width('frequentist'))
      }),
    )
  })

  it('of the sequential method equal those of two groups of the same size with the same precision', () => {
    const at = (units: number, value: number) => ({ units, value, standardError: 0.5 })
    // 4 / (1 / 9,900 + 1 / 100) is 396.
    const uneven = compareMeans(at(9_900, 1), at(100, 3), { method: 'sequential' }) ?? expect.fail()
    const even = compareMeans(at(198, 1), at(198, 3), { method: 'sequential' }) ?? expect.fail()
    expect(uneven.pValue).toBeCloseTo(even.pValue, 12)
    expect(uneven.difference.lower).toBeCloseTo(even.difference.lower, 12)
  })

  it.each(['level', 'tuningUnits'] as const)('reject an invalid %s with an error that names it', (name) => {
    const one = { units: 100, value: 1, standardError: 1 }
    for (const value of [0, -1, Number.NaN])
      expect(() => compareMeans(one, one, { method: 'sequential', [name]: value })).toThrow(`\`${name}\` must be`)
  })

  it('are undefined for fewer units than the minimum, which is 100 for the sequential method', () => {
    const few = { units: 99, value: 1, standardError: 1 }
    const many = { units: 100, value: 1, standardError: 1 }
    expect(compareMeans(many, many, { method: 'sequential' })).toBeDefined()
    expect(compareMeans(few, many, { method: 'sequential' })).toBeUndefined()
    expect(compareMeans(many, few, { method: 'sequential' })).toBeUndefined()
    expect(compareMeans(many, few, { method: 'frequentist' })).toBeDefined()
    expect(compareMeans(many, few, { method: 'bayesian', minimumUnits: 100 })).toBeUndefined()
  })
})

describe('several variations', () => {
  const arms = fc.oneof(
    fc.array(estimate, { minLength: 2, maxLength: 5 }),
    fc.array(proportion, { minLength: 2, maxLength: 3 }),
  )

  it('have probabilities that add up to 1, and losses that are not negative', () => {
    fc.assert(
      fc.property(arms, fc.constantFrom('increase', 'decrease'), (arms, direction) => {
        const probabilities = probabilityToBeBest(arms, { direction })
        expect(probabilities.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9)
        for (const loss of expectedLosses(arms, { direction })) expect(loss).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 20 },
    )
  })

  it('have the same results in any order', () => {
    fc.assert(
      fc.property(arms, (arms) => {
        const reversed = probabilityToBeBest(arms.toReversed()).reverse()
        for (const [i, probability] of probabilityToBeBest(arms).entries())
          expect(reversed[i]).toBeCloseTo(probability, 10)
      }),
      { numRuns: 15 },
    )
  })

  it('are equally likely to be the best when all of them have the same certain value', () => {
    const certain = { units: 100, value: 0, standardError: 0 }
    for (const share of probabilityToBeBest([certain, certain, certain])) expect(share).toBeCloseTo(1 / 3, 12)
  })

  it('are each compared with the first as compareMeans compares them', () => {
    fc.assert(
      fc.property(proportion, proportion, (control, treatment) => {
        const { probabilityToBeatControl } = compareMeans(control, treatment, { method: 'bayesian' }) ?? expect.fail()
        expect(probabilityToBeBest([control, treatment])[1]).toBeCloseTo(probabilityToBeatControl, 9)
      }),
      { numRuns: 8 },
    )
  })
})

describe('corrected p values', () => {
  it('are not below the uncorrected p values, keep their order, and are at least as large with holm as with the other method', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (pValues) => {
        const holm = adjustedPValues(pValues, 'holm')
        const rate = adjustedPValues(pValues, 'benjamini-hochberg')
        for (const [i, p] of pValues.entries()) {
          expect(rate[i]).toBeGreaterThanOrEqual(p * (1 - 1e-12))
          expect(holm[i]).toBeGreaterThanOrEqual(rate[i]! * (1 - 1e-12))
          for (const [j, other] of pValues.entries()) if (p < other) expect(holm[i]).toBeLessThanOrEqual(holm[j]!)
        }
      }),
    )
    expect(() => adjustedPValues([0.5, 2], 'holm')).toThrow('`pValues[1]` must be between 0 and 1: 2')
  })
})
