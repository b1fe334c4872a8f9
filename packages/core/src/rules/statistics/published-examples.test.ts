import { describe, expect, it } from 'vitest'
import { adjustedPValues } from './adjusted-p-values.ts'
import { compareMeans } from './compare-means.ts'
import { cupedMeans } from './cuped.ts'
import { type MetricEstimate, meanOf, ratioOf } from './metric-estimate.ts'
import { percentileRanks } from './percentile.ts'
import { sampleRatioTest } from './sample-ratio.ts'
import { sumsOf } from './unit-sums.ts'

const meanOfValues = (values: readonly number[]) => meanOf(sumsOf(values.map((value) => ({ value })))) as MetricEstimate

const frequentist = { method: 'frequentist' } as const

describe('the computed statistics equal the published example', () => {
  it('Student 1908, sleep data, as printed by ?t.test of R: p = 0.07939', () => {
    const first = meanOfValues([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2])
    const second = meanOfValues([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
    const { pValue, difference } = compareMeans(first, second, frequentist) ?? expect.fail()
    expect(first.value).toBeCloseTo(0.75, 12)
    expect(second.value).toBeCloseTo(2.33, 12)
    expect(pValue).toBeCloseTo(0.07939, 5)
    expect(difference.lower).toBeCloseTo(-0.2054832, 7)
    expect(difference.upper).toBeCloseTo(3.3654832, 7)
  })

  it('GrowthBook, test of its two-sided t test: interval 0.04538 to 0.53462, p = 0.02016', () => {
    const control = { units: 3_407, value: 0.41, standardError: 3.9 / Math.sqrt(3_407) }
    const treatment = { units: 3_461, value: 0.7, standardError: 6.2 / Math.sqrt(3_461) }
    const { pValue, difference, relativeDifference } = compareMeans(control, treatment, frequentist) ?? expect.fail()
    expect(pValue).toBeCloseTo(0.02016, 5)
    expect(difference.lower).toBeCloseTo(0.04538, 5)
    expect(difference.upper).toBeCloseTo(0.53462, 5)
    expect(relativeDifference?.estimate).toBeCloseTo(0.70732, 5)
  })

  it('GrowthBook, test of its sequential t test: relative interval -0.558 to 1.565, p = 1', () => {
    const control = meanOf({ units: 3_000, sum: 1396.87, sumOfSquares: 52377.9767 }) ?? expect.fail()
    const treatment = meanOf({ units: 3_461, sum: 2422.7, sumOfSquares: 134698.29 }) ?? expect.fail()
    const options = { method: 'sequential', tuningUnits: 1_000 } as const
    const { pValue, relativeDifference } = compareMeans(control, treatment, options) ?? expect.fail()
    expect(pValue).toBe(1)
    expect(relativeDifference?.estimate).toBeCloseTo(0.50336, 5)
    // The interval of a sequential test depends on the number of units. Here it is the number that would give the same
    // precision if both variations had the same number of units: 6,428 instead of 6,461.
    expect(relativeDifference?.lower).toBeCloseTo(-0.55844, 3)
    expect(relativeDifference?.upper).toBeCloseTo(1.56516, 3)
  })

  it('Snedecor and Cochran 1967, treatments of leprosy, as printed by PROC GLM of SAS: adjusted means 6.715, 6.824, 10.161', () => {
    const drugs: readonly (readonly (readonly [before: number, after: number])[])[] = [
      [
        [11, 6],
        [8, 0],
        [5, 2],
        [14, 8],
        [19, 11],
        [6, 4],
        [10, 13],
        [6, 1],
        [11, 8],
        [3, 0],
      ],
      [
        [6, 0],
        [6, 2],
        [7, 3],
        [8, 1],
        [18, 18],
        [8, 4],
        [19, 14],
        [8, 9],
        [5, 1],
        [15, 9],
      ],
      [
        [16, 13],
        [13, 10],
        [11, 18],
        [9, 5],
        [21, 23],
        [16, 12],
        [12, 5],
        [12, 16],
        [7, 1],
        [12, 20],
      ],
    ]
    const means = cupedMeans(drugs.map((units) => sumsOf(units.map(([pre, value]) => ({ pre, value })))))
    for (const [i, expected] of [6.7149635, 6.8239348, 10.1611017].entries())
      expect(means[i]?.value).toBeCloseTo(expected, 7)
  })

  it('Davison and Hinkley 1997, populations of cities, as printed by ?boot of R: ratio 1.520313', () => {
    const before = [138, 93, 61, 179, 48, 37, 29, 23, 30, 2]
    const after = [143, 104, 69, 260, 75, 63, 50, 48, 111, 50]
    const ratio = ratioOf(sumsOf(after.map((value, i) => ({ value, denominator: before[i] as number }))))
    expect(ratio?.value).toBeCloseTo(1.520313, 5)
  })

  it('Benjamini and Hochberg 1995, myocardial infarction: 4 of 15 hypotheses are rejected, and 3 by the method of Holm', () => {
    const pValues = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
    ]
    const rejected = (correction: 'holm' | 'benjamini-hochberg') =>
      adjustedPValues(pValues, correction).filter((p) => p <= 0.05).length
    expect([rejected('benjamini-hochberg'), rejected('holm')]).toEqual([4, 3])
  })

  it.each([
    [20, 6, 15],
    [50, 18, 33],
    [100, 40, 61],
  ])('Campbell and Gardner 1988, interval of the median of %d values: ranks %d and %d', (units, lower, upper) => {
    expect(percentileRanks(units, 0.5, 0.05)).toEqual({ lower, upper })
  })

  it('Kohavi, Tang and Xu 2020, chapter 21: 821,588 and 815,482 units of an even division have p = 1.8e-6', () => {
    const { pValue, mismatch } = sampleRatioTest({ counts: [821_588, 815_482], weights: [1, 1] })
    expect(pValue.toPrecision(2)).toBe('0.0000018')
    expect(mismatch).toBe(true)
  })
})
