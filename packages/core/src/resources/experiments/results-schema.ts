import * as v from 'valibot'
import { metricGroupKinds } from '../../models/metric-groups/metric-group.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import { groupedMetricResponse } from '../metric-groups/metric-group-schema.ts'

/** Methods by which treatments are compared. */
export const methods = ['bayesian', 'frequentist', 'sequential'] as const

const interval = v.object({ estimate: v.number(), lower: v.number(), upper: v.number() })

const comparisonResponse = v.object({
  method: v.picklist(methods),
  difference: interval,
  relativeDifference: v.optional(interval),
  verdict: v.picklist(['better', 'worse', 'inconclusive']),
  pValue: v.optional(v.number()),
  correctedPValue: v.optional(v.number()),
  probabilityToBeatBaseline: v.optional(v.number()),
})

const treatmentEntries = {
  treatmentId: v.string(),
  treatmentName: v.string(),
  baseline: v.boolean(),
  /** Number of units with a value of the metric. */
  units: v.number(),
  value: v.optional(v.number()),
  standardError: v.optional(v.number()),
  probabilityToBeBest: v.optional(v.number()),
  expectedLoss: v.optional(v.number()),
  comparison: v.optional(comparisonResponse),
}

const metricEntries = {
  key: v.string(),
  name: v.string(),
  unit: v.optional(v.string()),
  successCriteria: v.picklist(['HigherThanBaseline', 'LowerThanBaseline']),
  treatments: list(v.object(treatmentEntries)),
}

const metricResult = v.object(metricEntries)

/** Properties of the results, either for all units or for the units with one value of an attribute. */
const analysisEntries = {
  metrics: list(metricResult),
  metricGroups: list(
    v.object({
      key: v.string(),
      name: v.string(),
      kind: v.picklist(metricGroupKinds),
      /**
       * The metrics of the group. In a funnel they are its steps: for each, the share of units that reached it, among
       * units that reached the previous step.
       */
      metrics: list(metricResult),
      /** The share of all units that reached the last step of a funnel. */
      completion: v.optional(metricResult),
    }),
  ),
}

const sampleRatio = v.object({ pValue: v.number(), mismatch: v.boolean() })

const resultsEntries = {
  status: v.picklist(['running', 'stopped']),
  startedAt: timestamp(),
  endedAt: v.optional(timestamp()),
  updatedAt: v.optional(timestamp()),
  method: v.picklist(methods),
  level: v.number(),
  /** Number of units of each treatment that got no other treatment. */
  traffic: list(v.object({ treatmentId: v.string(), treatmentName: v.string(), units: v.number() })),
  /** Number of units that got more than one treatment. They are not part of any result. */
  mixedUnits: v.number(),
  sampleRatio,
  ...analysisEntries,
  /**
   * Results as they were at the end of each UTC day with events; the last one may be today. Only with `expand=days`.
   */
  days: v.optional(list(v.object({ date: v.string(), ...analysisEntries }))),
  attributes: list(
    v.object({ attribute: v.string(), values: list(v.object({ value: v.string(), ...analysisEntries })) }),
  ),
}

/** Results of all metrics of an iteration. */
export const experimentResultsResponse = v.object({ iterationId: v.string(), ...resultsEntries })

/**
 * Results of all metrics of a holdout. Its treatments are the units in the holdout, which are the baseline, and all
 * other units.
 */
export const holdoutResultsResponse = v.object({ holdoutId: v.string(), ...resultsEntries })

const analysisResponse = v.object(analysisEntries)

/** Results either for all units or for the units with one value of an attribute. */
export type AnalysisResponse = v.InferOutput<typeof analysisResponse>

export type MetricResult = v.InferOutput<typeof metricResult>

const relativeDifference = v.object({ fromTreatmentId: v.string(), lower: v.number(), upper: v.number() })

const treatmentResult = v.object({
  treatmentId: v.string(),
  treatmentName: v.string(),
  mean: v.optional(v.number()),
  credibleInterval: v.optional(v.object({ lower: v.number(), upper: v.number() })),
  pBest: v.optional(v.number()),
  relativeDifferences: v.optional(list(relativeDifference)),
  units: v.number(),
  traffic: v.optional(v.number()),
})

/** Bayesian results of one metric, in the form of the reference API. */
export const metricResultsResponse = v.object({
  treatmentResults: list(treatmentResult),
  metricSeen: v.object({ ever: v.boolean(), timestamp: v.optional(v.number()) }),
  probabilityOfMismatch: v.number(),
  results: list(
    v.object({ attribute: v.string(), attributeValue: v.string(), treatmentResults: list(treatmentResult) }),
  ),
  _links: v.record(v.string(), v.object({ href: v.string(), type: v.string() })),
})

/** Bayesian results of the metrics of a group, in the order of the group, in the form of the reference API. */
export const metricGroupResultsResponse = v.object({
  metrics: list(v.object({ metric: groupedMetricResponse, results: metricResultsResponse })),
  _links: links(),
})

export type TreatmentResult = v.InferOutput<typeof treatmentResult>
