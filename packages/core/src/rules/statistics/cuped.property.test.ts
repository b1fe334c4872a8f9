import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cupedMeans, cupedRatios } from './cuped.ts'
import { type MetricEstimate, meanOf, ratioOf } from './metric-estimate.ts'
import { type RawUnit, rawCuped } from './test/raw-cuped.ts'
import { sumsOf } from './unit-sums.ts'

const amount = fc.integer({ min: -100, max: 100 })
const count = fc.integer({ min: 1, max: 9 })
const meanUnit: fc.Arbitrary<RawUnit> = fc.record({ value: amount, pre: amount })
const ratioUnit = fc.record({ value: amount, pre: amount, denominator: count, preDenominator: count })

const variationsOf = (unit: fc.Arbitrary<RawUnit>) =>
  fc.array(fc.array(unit, { minLength: 2, maxLength: 30 }), { minLength: 1, maxLength: 3 })

function expectEstimates(estimates: readonly (MetricEstimate | undefined)[], variations: readonly RawUnit[][]): void {
  for (const [index, expected] of rawCuped(variations).entries()) {
    expect(estimates[index]?.units).toBe(variations[index]?.length)
    expect(estimates[index]?.value).toBeCloseTo(expected.value, 7)
    // The square root of a rounded variance of 0 is far from 0.
    expect((estimates[index]?.standardError ?? Number.NaN) ** 2).toBeCloseTo(expected.standardError ** 2, 7)
  }
}

describe('CUPED', () => {
  it('of means equals a computation from the values of all units', () => {
    fc.assert(
      fc.property(variationsOf(meanUnit), (variations) =>
        expectEstimates(cupedMeans(variations.map(sumsOf)), variations),
      ),
    )
  })

  it('of ratios equals a computation from the values of all units', () => {
    fc.assert(
      fc.property(variationsOf(ratioUnit), (variations) =>
        expectEstimates(cupedRatios(variations.map(sumsOf)), variations),
      ),
    )
  })

  it('at least halves the variance when the values before explain most of the values during the experiment', () => {
    const skills = fc.uniqueArray(amount, { minLength: 20, maxLength: 60 })
    fc.assert(
      fc.property(skills, fc.array(count, { minLength: 60, maxLength: 60 }), (skills, counts) => {
        // The values of units differ by up to 200 for each event, much more than the noise of a period, which is 0 to 2.
        const units = skills.map((skill, index) => {
          const denominator = counts[index] as number
          return {
            value: (100 + skill + (index % 3)) * denominator,
            denominator,
            pre: (100 + skill + (index % 2)) * denominator,
            preDenominator: denominator,
          }
        })
        const [mean, ratio] = [meanOf(sumsOf(units)), ratioOf(sumsOf(units))]
        const varianceOf = (estimate: MetricEstimate | undefined) => (estimate?.standardError ?? Number.NaN) ** 2
        expect(varianceOf(cupedMeans([sumsOf(units)])[0])).toBeLessThan(varianceOf(mean) / 2)
        expect(varianceOf(cupedRatios([sumsOf(units)])[0])).toBeLessThan(varianceOf(ratio) / 2)
      }),
    )
  })

  it('of ratios is the plain ratio when no unit had a denominator before', () => {
    const sums = sumsOf([
      { value: 3, denominator: 2, pre: 0, preDenominator: 0 },
      { value: 5, denominator: 1, pre: 0, preDenominator: 0 },
    ])
    expect(cupedRatios([sums])).toEqual([ratioOf(sums)])
    expect(cupedRatios([sumsOf([{ value: 1, denominator: 1 }])])).toEqual([undefined])
  })
})
