import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustedPValues } from './adjusted-p-values.ts'
import { compareMeans } from './compare-means.ts'
import type { ComparisonMethod } from './comparison.ts'
import { cupedMeans } from './cuped.ts'
import { checkGuardrails } from './guardrails.ts'
import { type MetricEstimate, meanOf, proportionOf } from './metric-estimate.ts'
import { percentileOf } from './percentile.ts'
import { expectedLosses, probabilityToBeBest } from './probability-to-be-best.ts'
import { sampleRatioTest, sequentialSampleRatioTest } from './sample-ratio.ts'
import { stratifiedEstimates } from './stratified-estimates.ts'
import { addSums, noSums, replaceUnit, sumsOf, type UnitSums, type UnitValue, winsorize } from './unit-sums.ts'
import { addSketches, emptySketch, replaceValue, sketchError, sketchOf, sortedBins, valueAt } from './value-sketch.ts'

/** Whole numbers, whose sums are exact in any order. */
const unit: fc.Arbitrary<UnitValue> = fc.record(
  { value: fc.integer({ min: -1_000, max: 1_000 }), pre: fc.integer({ min: 0, max: 99 }), denominator: fc.nat(9) },
  { requiredKeys: ['value'] },
)
const units = fc.array(unit, { maxLength: 20 })

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

describe('sums', () => {
  it('are the same in any order and any division of the units', () => {
    fc.assert(
      fc.property(units, units, units, (a, b, c) => {
        const whole = sumsOf([...a, ...b, ...c])
        expect(addSums(addSums(sumsOf(a), sumsOf(b)), sumsOf(c))).toEqual(whole)
        expect(addSums(sumsOf(c), addSums(sumsOf(b), sumsOf(a)))).toEqual(whole)
        expect(addSums(whole, noSums)).toEqual(whole)
      }),
    )
  })

  it('equal those of all units after one unit was replaced, added or removed', () => {
    fc.assert(
      fc.property(units, unit, unit, (others, before, after) => {
        const sums = sumsOf([...others, before])
        const values = (sums: UnitSums) => Object.entries(sums).filter(([, value]) => value !== 0)
        expect(values(replaceUnit(sums, before, after))).toEqual(
          expect.arrayContaining(values(sumsOf([...others, after]))),
        )
        expect(replaceUnit(sumsOf(others), undefined, before)).toEqual(sums)
        expect(values(replaceUnit(sums, before, undefined))).toEqual(values(sumsOf(others)))
      }),
    )
  })

  it('are those of limited values after winsorization', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(), fc.nat(), (value, below, above) => {
        const limits = { lower: -below, upper: above }
        const limited = winsorize(value, limits)
        expect(limited).toBeGreaterThanOrEqual(-below)
        expect(limited).toBeLessThanOrEqual(above)
        expect(winsorize(limited, limits)).toBe(limited)
        if (value >= -below && value <= above) expect(limited).toBe(value)
      }),
    )
    expect(() => winsorize(1, { lower: 2, upper: 1 })).toThrow('`lower` must be at most `upper`')
  })
})

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

  it('of the sequential method are never narrower than those of the frequentist one', () => {
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

  it('of the sequential method are those of an even division with the same precision', () => {
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

describe('estimates', () => {
  it('are those of the plain means when values before the experiment explain nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(99), { minLength: 2 }), { minLength: 2, maxLength: 4 }), (variations) => {
        const sums = variations.map((values) => sumsOf(values.map((value) => ({ value, pre: 7 }))))
        expect(cupedMeans(sums)).toEqual(sums.map(meanOf))
      }),
    )
  })

  it('have no error left when values before the experiment explain everything', () => {
    const variations = [5, 9].map((shift) => sumsOf([1, 4, 6, 8, 3].map((pre) => ({ pre, value: 2 * pre + shift }))))
    const [control, treatment] = cupedMeans(variations)
    expect(control?.standardError).toBeLessThan(1e-6)
    expect((treatment?.value ?? 0) - (control?.value ?? 0)).toBeCloseTo(4, 12)
  })

  it('of strata with equal values are that value, although the shares differ', () => {
    // The proportion is 0.1 in the first stage and 0.5 in the second one, in both variations.
    const at = (units: number, share: number) =>
      proportionOf({ units, sum: units * share, sumOfSquares: units * share }) ?? expect.fail()
    const strata = [
      { control: at(9_900, 0.1), treatment: at(100, 0.1) },
      { control: at(5_000, 0.5), treatment: at(5_000, 0.5) },
    ]
    const { control, treatment } = stratifiedEstimates(strata) ?? expect.fail()
    expect(treatment.value).toBeCloseTo(control.value, 12)
    expect(stratifiedEstimates([])).toBeUndefined()
  })
})

describe('sketches', () => {
  const value = fc.oneof(fc.integer({ min: -1e6, max: 1e6 }), fc.double({ min: -1e9, max: 1e9, noNaN: true }))
  const values = fc.array(value, { minLength: 1, maxLength: 60 })

  it('contain each value within the stated error, in ascending order', () => {
    fc.assert(
      fc.property(values, (values) => {
        const bins = sortedBins(sketchOf(values))
        const sorted = values.toSorted((a, b) => a - b)
        for (const [i, expected] of sorted.entries())
          expect(Math.abs(valueAt(bins, i + 1) - expected)).toBeLessThanOrEqual(Math.abs(expected) * sketchError + 1e-9)
      }),
    )
  })

  it('are the same in any order and any division of the values, and follow the change of one value', () => {
    fc.assert(
      fc.property(values, values, value, (first, second, added) => {
        const whole = sketchOf([...first, ...second])
        expect(addSketches(sketchOf(second), sketchOf(first))).toEqual(whole)
        expect(addSketches(whole, emptySketch)).toEqual(whole)
        const [replaced, ...rest] = first as [number, ...number[]]
        expect(replaceValue(sketchOf(first), replaced, added)).toEqual(sketchOf([...rest, added]))
      }),
    )
  })

  it('have percentiles between the values whose ranks enclose them', () => {
    const sketch = sketchOf(Array.from({ length: 1_000 }, (_, i) => i + 1))
    const median = percentileOf(sketch, 0.5) ?? expect.fail()
    expect(Math.abs(median.value - 500)).toBeLessThan(500 * sketchError)
    // The ranks are 469 and 532, so the error is about (532 - 469) / (2 * 1.96).
    expect(Math.abs(median.standardError - 16)).toBeLessThan(3)
    expect(percentileOf(sketchOf([1, 2, 3, 4, 5]), 0.5)).toBeUndefined()
    expect(() => percentileOf(sketch, 95)).toThrow('`share` must be between 0 and 1: 95')
    expect(() => sketchOf([Number.NaN])).toThrow('`value` must be a finite number')
  })
})

describe('corrected p values', () => {
  it('are not below the p values, keep their order, and are those of the other method or larger for holm', () => {
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

describe('sample ratio', () => {
  it('does not depend on the order of variations, nor on the sum of weights', () => {
    const rows = fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: 1, max: 9 })), { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(rows, (rows) => {
        const of = (rows: readonly (readonly [number, number])[], scale: number) => ({
          counts: rows.map(([count]) => count),
          weights: rows.map(([, weight]) => weight * scale),
        })
        for (const test of [sampleRatioTest, sequentialSampleRatioTest])
          expect(test(of(rows.toReversed(), 0.37)).pValue).toBeCloseTo(test(of(rows, 1)).pValue, 10)
      }),
    )
  })

  it('is a mismatch as soon as a unit has a variation that should have none', () => {
    for (const test of [sampleRatioTest, sequentialSampleRatioTest]) {
      expect(test({ counts: [1_000, 1], weights: [1, 0] })).toEqual({ pValue: 0, mismatch: true })
      expect(test({ counts: [1_000, 0], weights: [1, 0] })).toEqual({ pValue: 1, mismatch: false })
      expect(test({ counts: [0, 0], weights: [1, 1] })).toEqual({ pValue: 1, mismatch: false })
    }
  })

  it('compares each period with its own weights', () => {
    const periods = [
      { counts: [900, 100], weights: [9, 1] },
      { counts: [500, 500], weights: [1, 1] },
    ]
    for (const test of [sampleRatioTest, sequentialSampleRatioTest]) {
      expect(test(periods).mismatch).toBe(false)
      expect(test({ counts: [1_400, 600], weights: [1, 1] }).mismatch).toBe(true)
    }
  })

  it.each([
    [{ counts: [1, 2], weights: [1] }, '`weights` must have as many items as `counts`, 2: 1'],
    [{ counts: [1, -2], weights: [1, 1] }, '`counts[1]` must be at least 0: -2'],
    [{ counts: [1, 2], weights: [0, 0] }, '`weights` must contain a value above 0'],
  ])('rejects %j', (ratio, message) => {
    expect(() => sampleRatioTest(ratio)).toThrow(message)
  })
})

describe('guardrails', () => {
  const even = { counts: [5_000, 5_000], weights: [1, 1] }
  const at = (share: number) => proportionOf({ units: 5_000, sum: 5_000 * share, sumOfSquares: 5_000 * share })
  const errors = { key: 'errors', direction: 'decrease', control: at(0.01) } as const

  it('report a regression, the collection of data, and health', () => {
    const verdictOf = (treatment: MetricEstimate | undefined) =>
      checkGuardrails([{ ...errors, treatment }], even).verdict
    expect(verdictOf(at(0.04))).toBe('regression')
    expect(verdictOf(at(0.002))).toBe('healthy')
    expect(verdictOf(undefined)).toBe('collecting')
  })

  it('accept a worsening within the margin', () => {
    const verdictWith = (margin: number) => checkGuardrails([{ ...errors, treatment: at(0.04), margin }], even).verdict
    expect(verdictWith(0.1)).toBe('regression')
    expect(verdictWith(4)).toBe('healthy')
    const checkouts = { key: 'checkouts', direction: 'increase', control: at(0.2), treatment: at(0.1) } as const
    expect(checkGuardrails([{ ...checkouts, margin: 0.1 }], even).verdict).toBe('regression')
    expect(checkGuardrails([{ ...checkouts, margin: 0.6 }], even).verdict).toBe('healthy')
  })

  it('do not judge a metric before each variation has 100 units, unless the caller sets another minimum', () => {
    const few = (units: number, sum: number) => proportionOf({ units, sum, sumOfSquares: sum })
    const metric = { key: 'errors', direction: 'decrease', control: few(99, 0), treatment: few(99, 99) } as const
    const periods = { counts: [99, 99], weights: [1, 1] }
    expect(checkGuardrails([metric], periods).verdict).toBe('collecting')
    expect(checkGuardrails([metric], periods, { minimumUnits: 50 }).verdict).toBe('regression')
    expect(checkGuardrails([{ ...metric, control: few(100, 0), treatment: few(100, 100) }], periods).verdict).toBe(
      'regression',
    )
  })

  it('divide the level among the metrics', () => {
    const metric = { ...errors, treatment: at(0.0176) }
    const others = Array.from({ length: 20 }, (_, i) => ({ ...errors, key: `other-${i}`, treatment: at(0.01) }))
    expect(checkGuardrails([metric], even).verdict).toBe('regression')
    expect(checkGuardrails([metric, ...others], even).verdict).toBe('healthy')
  })

  it('do not judge metrics when units are lost', () => {
    const report = checkGuardrails([{ ...errors, treatment: at(0.04) }], { counts: [5_000, 4_000], weights: [1, 1] })
    expect(report.verdict).toBe('sample-ratio-mismatch')
    expect(report.metrics[0]?.verdict).toBe('regression')
  })
})
