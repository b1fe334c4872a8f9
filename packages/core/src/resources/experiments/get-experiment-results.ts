import * as v from 'valibot'
import { allocationsOf, type Iteration } from '../../models/experiments/iteration.ts'
import type { VariationResults } from '../../models/measurements/measured-results.ts'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import { analyze, type MetricAnalysis, sampleRatioOf } from '../../rules/experiments/analysis.ts'
import { experimentPath } from './experiment-schema.ts'
import { loadResults } from './load-results.ts'
import { metricResultsResponse, type TreatmentResult } from './results-schema.ts'

/** Quantile of the normal distribution for an interval with the probability 0.95. */
const intervalQuantile = 1.959963984540054

export const getExperimentResults = operation({
  id: 'getExperimentResults',
  summary: 'Get the Bayesian results of one metric of an iteration of an experiment',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/metrics/{metricKey}/results',
  query: v.object({ iterationId: v.optional(v.string()), expand: expand('traffic') }),
  success: { status: 200, body: metricResultsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { iteration, measured } = await loadResults(context, params, query.iterationId)
    const metricIndex = measured.measurement.metrics.findIndex(({ key }) => key === params.metricKey)
    if (metricIndex < 0) return context.fail('not_found')
    const baseline = iteration.treatments.findIndex((treatment) => treatment.baseline)
    const withTraffic = query.expand.includes('traffic')
    const resultsOf = (variations: readonly VariationResults[]) => {
      const analysis = analyze(variations, { method: 'bayesian', level: 0.05, baseline })[metricIndex]
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
      _links: { parent: linkTo(experimentPath(params)) },
    }
  },
})

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
