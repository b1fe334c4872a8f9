import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { percentileOf } from './percentile.ts'
import { addSketches, emptySketch, replaceValue, sketchError, sketchOf, sortedBins, valueAt } from './value-sketch.ts'

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
