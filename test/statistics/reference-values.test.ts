import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  adjustedPValues,
  compareMeans,
  cupedMeans,
  type Direction,
  expectedLosses,
  type IntervalEstimate,
  type MetricEstimate,
  meanOf,
  type PValueCorrection,
  percentileRanks,
  probabilityToBeBest,
  proportionOf,
  ratioOf,
  sampleRatioTest,
  sequentialSampleRatioTest,
  stratifiedEstimates,
  sumsOf,
} from '@halyard/core/insights'
import { describe, expect, it } from 'vitest'

/** The input of a case, as `reference-values.py` writes it. Each kind of case has other properties. */
interface Given {
  readonly control: unknown
  readonly treatment: unknown
  readonly level: number
  readonly prior: { readonly a: number; readonly b: number }
  readonly direction: Direction
  readonly values: readonly number[]
  readonly denominators: readonly number[]
  readonly variations: readonly { readonly values: readonly number[]; readonly pre: readonly number[] }[]
  readonly tables: readonly (readonly [number, number, number, number])[]
  readonly units: number
  readonly share: number
  readonly z: number
  readonly tuningUnits: number
  readonly arms: readonly (readonly [number, number])[]
  readonly pValues: readonly number[]
  readonly correction: PValueCorrection
  readonly counts: readonly number[]
  readonly weights: readonly number[]
}

type Case = readonly [kind: string, given: Given, expected: unknown]

const cases = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'reference-values.json'), 'utf8'),
) as readonly Case[]

const sampleEstimate = (values: unknown) =>
  meanOf(sumsOf((values as readonly number[]).map((value) => ({ value })))) as MetricEstimate

const proportion = (successes: number, units: number) =>
  proportionOf({ units, sum: successes, sumOfSquares: successes }) as MetricEstimate

const endsOf = (interval: IntervalEstimate | undefined) =>
  interval && [interval.estimate, interval.lower, interval.upper]

function welch(control: MetricEstimate, treatment: MetricEstimate, level?: number) {
  const comparison = compareMeans(control, treatment, { method: 'frequentist', ...(level ? { level } : {}) })
  return {
    pValue: comparison?.pValue,
    difference: endsOf(comparison?.difference),
    relativeDifference: endsOf(comparison?.relativeDifference),
  }
}

/** Computes the result of a case, with the same properties as the expected result. */
const computed: Readonly<Record<string, (given: Given) => unknown>> = {
  welch: ({ control, treatment, level }) => welch(sampleEstimate(control), sampleEstimate(treatment), level),
  welchOfEstimates: ({ control, treatment }) => welch(control as MetricEstimate, treatment as MetricEstimate),
  ratio({ values, denominators }) {
    const estimate = ratioOf(sumsOf(values.map((value, i) => ({ value, denominator: denominators[i] as number }))))
    return { value: estimate?.value, standardError: estimate?.standardError }
  },
  cuped({ variations }) {
    const sums = variations.map(({ values, pre }) =>
      sumsOf(values.map((value, i) => ({ value, pre: pre[i] as number }))),
    )
    const [first, ...others] = cupedMeans(sums) as [MetricEstimate, ...MetricEstimate[]]
    return {
      differences: others.map(({ value }) => value - first.value),
      standardErrors: [first, ...others].map(({ standardError }) => standardError),
    }
  },
  strata({ tables }) {
    const strata = tables.map(([a, n0, b, n1]) => ({ control: proportion(a, n0), treatment: proportion(b, n1) }))
    const { control, treatment } = stratifiedEstimates(strata) ?? expect.fail('no estimates')
    return {
      difference: treatment.value - control.value,
      standardError: Math.hypot(control.standardError, treatment.standardError),
    }
  },
  ranks: ({ units, share, level }) => percentileRanks(units, share, level) ?? null,
  sequential({ units, z, level, tuningUnits }) {
    const error = 0.2 / Math.SQRT2
    const control = { units, value: 1, standardError: error }
    const comparison = compareMeans(
      control,
      { ...control, value: 1 + z * 0.2 },
      { method: 'sequential', level, tuningUnits },
    )
    const { lower = 0, upper = 0 } = comparison?.difference ?? {}
    return { pValue: comparison?.pValue, halfWidth: (upper - lower) / 2 }
  },
  bayesianMeans({ control, treatment, direction }) {
    const options = { method: 'bayesian', direction } as const
    const comparison = compareMeans(control as MetricEstimate, treatment as MetricEstimate, options)
    return {
      probability: comparison?.probabilityToBeatControl,
      loss: comparison?.expectedLoss,
      difference: endsOf(comparison?.difference),
    }
  },
  bayesianProportions({ control, treatment }) {
    const [first, second] = [control, treatment].map((counts) => proportion(...(counts as [number, number])))
    const comparison = first && second && compareMeans(first, second, { method: 'bayesian' })
    return {
      probability: comparison?.probabilityToBeatControl,
      loss: comparison?.expectedLoss,
      difference: endsOf(comparison?.difference),
      relativeDifference: endsOf(comparison?.relativeDifference),
    }
  },
  prior({ control, treatment, prior }) {
    const [first, second] = [control, treatment].map((counts) => proportion(...(counts as [number, number])))
    const comparison = first && second && compareMeans(first, second, { method: 'bayesian', prior })
    return { probability: comparison?.probabilityToBeatControl }
  },
  bestOfMeans({ arms, direction }) {
    const estimates = arms.map(([value, standardError]) => ({ units: 100, value, standardError }))
    return {
      probabilities: probabilityToBeBest(estimates, { direction }),
      losses: expectedLosses(estimates, { direction }),
    }
  },
  bestOfProportions: ({ arms }) => ({
    probabilities: probabilityToBeBest(arms.map(([successes, units]) => proportion(successes, units))),
  }),
  adjusted: ({ pValues, correction }) => ({ adjusted: adjustedPValues(pValues, correction) }),
  sampleRatio: (given) => ({
    pValue: sampleRatioTest(given).pValue,
    sequentialPValue: sequentialSampleRatioTest(given).pValue,
  }),
}

/** Returns the numbers in a result, with the path to each. */
function numbersIn(value: unknown, at = ''): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[at, value]]
  return Object.entries(value).flatMap(([name, child]) => numbersIn(child, `${at}.${name}`))
}

/** Largest accepted error, relative to the value or, in a list, to the largest value of the list. */
const precision = 1e-9

function differences(actual: unknown, expected: unknown): string[] {
  const actualNumbers = new Map(numbersIn(actual))
  return numbersIn(expected).flatMap(([at, value]) => {
    const result = actualNumbers.get(at)
    if (typeof value !== 'number') return result === value ? [] : [`${at}: ${result} instead of ${value}`]
    // The ends of an interval and the differences of CUPED have the rounding error of the larger values around them.
    const list = at.replace(/\.\d+$/, '')
    const size = numbersIn(expected)
      .filter(([other]) => list !== at && other.startsWith(`${list}.`))
      .reduce((largest, [, other]) => Math.max(largest, Math.abs(other as number)), Math.abs(value))
    const isClose = typeof result === 'number' && Math.abs(result - value) <= precision * size
    return isClose ? [] : [`${at}: ${result} instead of ${value}`]
  })
}

describe('statistics', () => {
  it('are compared with at least 300 results of scipy, statsmodels and mpmath, of every kind', () => {
    expect(cases.length).toBeGreaterThanOrEqual(300)
    expect(new Set(cases.map(([kind]) => kind))).toEqual(new Set(Object.keys(computed)))
  })

  it.each(Object.keys(computed))('agree with the reference results to 1e-9: %s', (kind) => {
    const failures = cases.flatMap(([caseKind, given, expected], line) =>
      caseKind === kind
        ? differences(computed[kind]?.(given), expected).map((text) => `reference-values.json:${line + 2} ${text}`)
        : [],
    )
    expect(failures).toEqual([])
  })
})
