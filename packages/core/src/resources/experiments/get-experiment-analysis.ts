import * as v from 'valibot'
import { allocationsOf, type Iteration } from '../../models/experiments/iteration.ts'
import type { VariationResults } from '../../models/measurements/measured-results.ts'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import { type AnalysisOptions, analyze, type MetricAnalysis, sampleRatioOf } from '../../rules/experiments/analysis.ts'
import { loadResults } from './load-results.ts'
import { experimentResultsResponse, type MetricResult, methods } from './results-schema.ts'

const corrections = ['none', 'holm', 'benjamini-hochberg'] as const

const reductions = ['none', 'cuped'] as const

const levelNumber = v.pipe(
  v.number(),
  v.minValue(0.0001, 'must be at least 0.0001'),
  v.maxValue(0.5, 'must be at most 0.5'),
)

const level = v.union([
  v.pipe(v.string(), v.regex(/^0\.\d{1,6}$/, 'must be a number between 0 and 1'), v.transform(Number), levelNumber),
  levelNumber,
])

export const getExperimentAnalysis = operation({
  id: 'getExperimentAnalysis',
  summary: 'Get the results of all metrics of an iteration of an experiment',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/results',
  query: v.object({
    iterationId: v.optional(v.string()),
    method: v.optional(v.picklist(methods, `must be one of ${methods.join(', ')}`), 'bayesian'),
    level: v.optional(level, 0.05),
    correction: v.optional(v.picklist(corrections, `must be one of ${corrections.join(', ')}`), 'holm'),
    varianceReduction: v.optional(v.picklist(reductions, `must be one of ${reductions.join(', ')}`), 'none'),
    expand: expand('days'),
  }),
  success: { status: 200, body: experimentResultsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }): Promise<v.InferOutput<typeof experimentResultsResponse>> {
    const { iteration, measured } = await loadResults(context, params, query.iterationId)
    const { treatments, startedAt = 0, endedAt, status } = iteration
    const { format } = context
    const options: AnalysisOptions = {
      method: query.method,
      level: query.level,
      correction: query.correction === 'none' ? undefined : query.correction,
      varianceReduction: query.varianceReduction === 'none' ? undefined : query.varianceReduction,
      baseline: treatments.findIndex(({ baseline }) => baseline),
    }
    const resultsOf = (variations: readonly VariationResults[]) =>
      analyze(variations, options).map((analysis) => serializeMetric(iteration, analysis))
    return {
      iterationId: iteration.id,
      status: status === 'running' ? 'running' : 'stopped',
      startedAt: format.time(startedAt),
      ...(endedAt === undefined ? {} : { endedAt: format.time(endedAt) }),
      ...(measured.updatedAt === undefined ? {} : { updatedAt: format.time(measured.updatedAt) }),
      method: query.method,
      level: query.level,
      traffic: treatments.map(({ id, name }, index) => ({
        treatmentId: id,
        treatmentName: name,
        units: measured.variations[index]?.units ?? 0,
      })),
      mixedUnits: measured.mixedUnits,
      sampleRatio: sampleRatioOf(measured.variations, allocationsOf(iteration)),
      metrics: resultsOf(measured.variations),
      ...(query.expand.includes('days')
        ? { days: measured.days.map(({ day, variations }) => ({ date: day, metrics: resultsOf(variations) })) }
        : {}),
      attributes: measured.attributes.map(({ attribute, values }) => ({
        attribute,
        values: values.map(({ value, variations }) => ({ value, metrics: resultsOf(variations) })),
      })),
    }
  },
})

function serializeMetric({ treatments }: Iteration, { definition, treatments: results }: MetricAnalysis): MetricResult {
  const { key, name, unit, successCriteria } = definition
  return {
    key,
    name,
    ...(unit === undefined ? {} : { unit }),
    successCriteria,
    treatments: results.map(({ estimate, probabilityToBeBest, expectedLoss, comparison, correctedPValue }, index) => ({
      treatmentId: treatments[index]?.id ?? '',
      treatmentName: treatments[index]?.name ?? '',
      baseline: treatments[index]?.baseline ?? false,
      units: estimate?.units ?? 0,
      ...(estimate ? { value: estimate.value, standardError: estimate.standardError } : {}),
      ...(probabilityToBeBest === undefined ? {} : { probabilityToBeBest }),
      ...(expectedLoss === undefined ? {} : { expectedLoss }),
      ...(comparison ? { comparison: serializeComparison(comparison, correctedPValue) } : {}),
    })),
  }
}

function serializeComparison(
  comparison: NonNullable<MetricAnalysis['treatments'][number]['comparison']>,
  correctedPValue: number | undefined,
) {
  const { method, difference, relativeDifference, verdict } = comparison
  return {
    method,
    difference,
    ...(relativeDifference ? { relativeDifference } : {}),
    verdict,
    ...('pValue' in comparison ? { pValue: comparison.pValue } : {}),
    ...(correctedPValue === undefined ? {} : { correctedPValue }),
    ...('probabilityToBeatControl' in comparison
      ? { probabilityToBeatBaseline: comparison.probabilityToBeatControl }
      : {}),
  }
}
