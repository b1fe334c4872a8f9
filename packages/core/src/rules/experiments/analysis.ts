import type { MetricDefinition } from '../measurement/metric-definition.ts'
import type { MetricSums } from '../measurement/variation-sums.ts'
import {
  adjustedPValues,
  type Comparison,
  type ComparisonMethod,
  compareMeans,
  cupedMeans,
  cupedRatios,
  type Direction,
  emptySketch,
  expectedLosses,
  type MetricEstimate,
  meanOf,
  noSums,
  type PValueCorrection,
  percentileOf,
  probabilityToBeBest,
  proportionOf,
  ratioOf,
  type SampleRatioResult,
  sequentialSampleRatioTest,
} from '../statistics/index.ts'

/** The units and sums of one treatment. */
export interface CountedTreatment {
  /** Number of units that got only this treatment. */
  readonly units: number
  readonly metrics: readonly { readonly definition: MetricDefinition; readonly sums: MetricSums }[]
  /** For each funnel, the number of units that reached each step. */
  readonly funnels: readonly (readonly number[])[]
}

export interface AnalysisOptions {
  readonly method: ComparisonMethod
  /** Probability that an interval misses the true value, between 0 and 1. */
  readonly level: number
  /**
   * Correction for the number of metrics and treatments. Default: no correction. The Bayesian method has no p values.
   */
  readonly correction?: PValueCorrection | undefined
  /**
   * `cuped`: results use the events of units before the iteration, where they are known. Default: results do not use
   * them.
   */
  readonly varianceReduction?: 'cuped' | undefined
  /** Index of the treatment with which the others are compared. */
  readonly baseline: number
}

/** The result of one treatment for one metric. */
export interface TreatmentAnalysis {
  readonly units: number
  /** The estimate for the units of the treatment; undefined when there are too few units. */
  readonly estimate: MetricEstimate | undefined
  readonly probabilityToBeBest: number | undefined
  readonly expectedLoss: number | undefined
  /** Comparison with the baseline. Undefined for the baseline, and for too few units. */
  readonly comparison: Comparison | undefined
  /** The p value, corrected for the number of comparisons. */
  readonly correctedPValue: number | undefined
}

/** The results of one metric, in the order of the treatments. */
export interface MetricAnalysis {
  readonly definition: MetricDefinition
  readonly treatments: readonly TreatmentAnalysis[]
}

/** Analyzes the counted units and sums of the treatments of an iteration. */
export function analyze(treatments: readonly CountedTreatment[], options: AnalysisOptions): MetricAnalysis[] {
  const definitions = (treatments[0]?.metrics ?? []).map(({ definition }) => definition)
  const results = definitions.map((definition, index) => {
    const sums = treatments.map(({ metrics }) => metrics[index]?.sums)
    const estimates =
      options.varianceReduction === 'cuped'
        ? cupedEstimates(definition, sums)
        : sums.map((one) => estimateOf(definition, one))
    return { definition, treatments: compareTreatments(treatments, estimates, definition, options) }
  })
  return options.correction === undefined ? results : withCorrection(results, options.correction)
}

/**
 * Analyzes the steps of a funnel as conversions: the share of the units of the previous step that reached the step.
 * The last result is the share of all units that reached the last step. P values are corrected within the funnel.
 *
 * @param index index of the funnel.
 * @param steps definitions of the metrics of the steps.
 */
export function analyzeFunnel(
  treatments: readonly CountedTreatment[],
  index: number,
  steps: readonly MetricDefinition[],
  options: AnalysisOptions,
): MetricAnalysis[] {
  const last = steps.at(-1)
  if (!last) return []
  const analyzed = [
    ...steps.map((definition, step) => ({ definition, from: step - 1, step })),
    { definition: last, from: -1, step: steps.length - 1 },
  ]
  const results = analyzed.map(({ definition, from, step }) => {
    const counts = treatments.map(({ units, funnels }) => {
      const sum = funnels[index]?.[step] ?? 0
      return { units: (from < 0 ? units : funnels[index]?.[from]) ?? 0, sum, sumOfSquares: sum }
    })
    return { definition, treatments: compareTreatments(treatments, counts.map(proportionOf), definition, options) }
  })
  return options.correction === undefined ? results : withCorrection(results, options.correction)
}

/**
 * Tests whether the units were divided as allocated, at any time of an iteration.
 *
 * @param allocations percent of each treatment.
 */
export function sampleRatioOf(
  treatments: readonly CountedTreatment[],
  allocations: readonly number[],
): SampleRatioResult {
  return sequentialSampleRatioTest([{ counts: treatments.map(({ units }) => units), weights: allocations }])
}

/**
 * Returns the estimates with CUPED. Percentiles, and metrics without any event before the iteration, have the estimates
 * that they have without CUPED.
 */
function cupedEstimates(
  definition: MetricDefinition,
  sums: readonly (MetricSums | undefined)[],
): (MetricEstimate | undefined)[] {
  const hasValues = sums.some((one) => one?.preSumOfSquares || one?.preDenominatorSumOfSquares)
  if (!hasValues || definition.percentile !== undefined) return sums.map((one) => estimateOf(definition, one))
  const known = sums.map((one) => one ?? noSums)
  return definition.denominator ? cupedRatios(known) : cupedMeans(known)
}

function estimateOf(definition: MetricDefinition, sums: MetricSums | undefined): MetricEstimate | undefined {
  if (!sums) return undefined
  if (definition.percentile !== undefined) return percentileOf(sums.bins ?? emptySketch, definition.percentile / 100)
  if (definition.denominator) return ratioOf(sums)
  return definition.value === 'conversion' ? proportionOf(sums) : meanOf(sums)
}

function compareTreatments(
  treatments: readonly CountedTreatment[],
  estimates: readonly (MetricEstimate | undefined)[],
  { successCriteria }: MetricDefinition,
  { method, level, baseline }: AnalysisOptions,
): TreatmentAnalysis[] {
  const direction: Direction = successCriteria === 'LowerThanBaseline' ? 'decrease' : 'increase'
  const known = estimates.filter((estimate) => estimate !== undefined)
  const isComplete = known.length === estimates.length && known.length > 1
  const probabilities = isComplete ? probabilityToBeBest(known, { direction }) : []
  const losses = isComplete ? expectedLosses(known, { direction }) : []
  const control = estimates[baseline]
  return treatments.map(({ units }, index) => {
    const estimate = estimates[index]
    const isCompared = control && estimate && index !== baseline
    const comparison: Comparison | undefined = isCompared
      ? compareMeans(control, estimate, { method, level, direction })
      : undefined
    return {
      units,
      estimate,
      probabilityToBeBest: probabilities[index],
      expectedLoss: losses[index],
      comparison,
      correctedPValue: undefined,
    }
  })
}

/** Corrects the p values of all comparisons together. */
function withCorrection(results: readonly MetricAnalysis[], correction: PValueCorrection): MetricAnalysis[] {
  const pValues = results.flatMap(({ treatments }) =>
    treatments.flatMap(({ comparison }) => pValueOf(comparison) ?? []),
  )
  const corrected = adjustedPValues(pValues, correction)
  let next = 0
  return results.map((result) => ({
    ...result,
    treatments: result.treatments.map((treatment) =>
      pValueOf(treatment.comparison) === undefined ? treatment : { ...treatment, correctedPValue: corrected[next++] },
    ),
  }))
}

function pValueOf(comparison: Comparison | undefined): number | undefined {
  return comparison && 'pValue' in comparison ? comparison.pValue : undefined
}
