import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cupedMeans } from './cuped.ts'
import { meanOf, proportionOf } from './metric-estimate.ts'
import { stratifiedEstimates } from './stratified-estimates.ts'
import { addSums, noSums, replaceUnit, sumsOf, type UnitSums, type UnitValue, winsorize } from './unit-sums.ts'

/** Whole numbers, whose sums are exact in any order. */
const unit: fc.Arbitrary<UnitValue> = fc.record(
  { value: fc.integer({ min: -1_000, max: 1_000 }), pre: fc.integer({ min: 0, max: 99 }), denominator: fc.nat(9) },
  { requiredKeys: ['value'] },
)
const units = fc.array(unit, { maxLength: 20 })

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

  it('are updated for a replaced, added or removed unit as if they were computed from all units', () => {
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

  it('are computed from limited values after winsorization', () => {
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

describe('estimates', () => {
  it('equal the estimates without CUPED when values before the experiment explain nothing', () => {
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

  it('of two variations are equal when they are equal in each stratum, although the shares differ', () => {
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
