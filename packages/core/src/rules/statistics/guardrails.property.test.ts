import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkGuardrails } from './guardrails.ts'
import { type MetricEstimate, proportionOf } from './metric-estimate.ts'
import { sampleRatioTest, sequentialSampleRatioTest } from './sample-ratio.ts'

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

  it('is a mismatch as soon as a unit has a variation whose expected share is zero', () => {
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

  it('report a regression, that data is still being collected, or health', () => {
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
