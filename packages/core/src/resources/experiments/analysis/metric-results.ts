import type * as v from 'valibot'
import { allocationsOf, type Iteration } from '../../../models/experiments/iteration.ts'
import type { VariationResults } from '../../../models/measurements/measured-results.ts'
import type { Link } from '../../../operation/link.ts'
import { type AnalysisOptions, type MetricAnalysis, sampleRatioOf } from '../../../rules/experiments/analysis.ts'
import type { IterationResults } from '../load-results.ts'
import type { metricResultsResponse, TreatmentResult } from '../results-schema.ts'

/** Quantile of the normal distribution for an interval with the probability 0.95. */
const intervalQuantile = 1.959963984540054

/** One metric of the results, and the parts of it that the response contains. */
export interface ShownMetric {
  /** Index of the metric in the measurement. */
  readonly metricIndex: number
  /** Analyzes the variations, either for all units or for the units with one value of an attribute. */
  readonly analyze: (variations: readonly VariationResults[], options: AnalysisOptions) => MetricAnalysis | undefined
  /** True to show the units of each treatment. */
  readonly withTraffic: boolean
  readonly links: Readonly<Record<string, Link>>
}

/** Serializes the Bayesian results of one metric, in the form of the reference API. */
export function serializeMetricResults(
  { iteration, measured }: IterationResults,
  { metricIndex, analyze, withTraffic, links }: ShownMetric,
): v.InferOutput<typeof metricResultsResponse> {
  const baseline = iteration.treatments.findIndex((treatment) => treatment.baseline)
  const resultsOf = (variations: readonly VariationResults[]) => {
    const analysis = analyze(variations, { method: 'bayesian', level: 0.05, baseline })
    return analysis ? serializeTreatments(iteration, analysis, withTraffic) : []
  }
  const seenAt = measured.lastEventAt[metricIndex] ?? 0
  return {
    treatmentResults: resultsOf(measured.variations),
    metricSeen: { ever: seenAt > 0, ...(seenAt > 0 ? { timestamp: seenAt } : {}) },
    probabilityOfMismatch: 1 - sampleRatioOf(measured.variations, allocationsOf(iteration)).pValue,
    results: measured.attributes.flatMap(({ attribute, values }) =>
      values.map(({ value, variations }) => ({
        attribute,
        attributeValue: value,
        treatmentResults: resultsOf(variations),
      })),
    ),
    _links: links,
  }
}

function serializeTreatments(
  { treatments }: Iteration,
  { treatments: results }: MetricAnalysis,
  withTraffic: boolean,
): TreatmentResult[] {
  const baselineId = treatments.find(({ baseline }) => baseline)?.id ?? ''
  return results.map(({ units, estimate, probabilityToBeBest, comparison }, index) => {
    const relative = comparison?.relativeDifference
    const width = estimate ? intervalQuantile * estimate.standardError : 0
    return {
      treatmentId: treatments[index]?.id ?? '',
      treatmentName: treatments[index]?.name ?? '',
      ...(estimate
        ? { mean: estimate.value, credibleInterval: { lower: estimate.value - width, upper: estimate.value + width } }
        : {}),
      ...(probabilityToBeBest === undefined ? {} : { pBest: probabilityToBeBest }),
      ...(relative
        ? { relativeDifferences: [{ fromTreatmentId: baselineId, lower: relative.lower, upper: relative.upper }] }
        : {}),
      units: estimate?.units ?? 0,
      ...(withTraffic ? { traffic: units } : {}),
    }
  })
}
