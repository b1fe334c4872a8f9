import type { MetricDefinition } from '../measurement/metric-definition.ts'
import { sortedBins, type ValueBins } from '../measurement/value-bins.ts'
import type { MetricSums } from '../measurement/variation-sums.ts'
import {
  adjustedPValues,
  type Comparison,
  type ComparisonMethod,
  compareMeans,
  type Direction,
  expectedLosses,
  type MetricEstimate,
  meanOf,
  type PValueCorrection,
  percentileOf,
  probabilityToBeBest,
  proportionOf,
  ratioOf,
  type SampleRatioResult,
  sequentialSampleRatioTest,
  sketchOf,
  type ValueSketch,
} from '../statistics/index.ts'

/** The units and sums of one treatment. */
export interface CountedTreatment {
  /** Number of units that got only this treatment. */
  readonly units: number
  readonly metrics: readonly { readonly definition: MetricDefinition; readonly sums: MetricSums }[]
}

export interface AnalysisOptions {
  readonly method: ComparisonMethod
  /** Probability that an interval misses the true value, between 0 and 1. */
  readonly level: number
  /** Correction for the number of metrics and treatments. Default: none. The Bayesian method has no p values. */
  readonly correction?: PValueCorrection | undefined
  /** Index of the treatment with which the others are compared. */
  readonly baseline: number
}

/** The result of one treatment for one metric. */
export interface TreatmentAnalysis {
  readonly units: number
  /** Undefined for too few units. */
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

/** Analyzes what was counted for the treatments of an iteration. */
export function analyze(treatments: readonly CountedTreatment[], options: AnalysisOptions): MetricAnalysis[] {
  const definitions = (treatments[0]?.metrics ?? []).map(({ definition }) => definition)
  const results = definitions.map((definition, index) => {
    const estimates = treatments.map(({ metrics }) => estimateOf(definition, metrics[index]?.sums))
    return { definition, treatments: compareTreatments(treatments, estimates, definition, options) }
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

function estimateOf(definition: MetricDefinition, sums: MetricSums | undefined): MetricEstimate | undefined {
  if (!sums) return undefined
  const { bins, ...unitSums } = sums
  if (definition.percentile !== undefined) {
    return percentileOf(sketchOfBins(bins ?? {}), definition.percentile / 100)
  }
  if (definition.denominator) return ratioOf(unitSums)
  return definition.value === 'conversion' ? proportionOf(unitSums) : meanOf(unitSums)
}

/** Returns the distribution of counted values, each of which stands for the values of its bin. */
function sketchOfBins(bins: ValueBins): ValueSketch {
  const counts = new Map<number, number>()
  for (const { value, count } of sortedBins(bins)) {
    const bin = sketchOf([value]).bins[0]?.[0] ?? 0
    counts.set(bin, (counts.get(bin) ?? 0) + count)
  }
  return { units: [...counts.values()].reduce((sum, count) => sum + count, 0), bins: [...counts] }
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
