import * as v from 'valibot'
import type { MeasuredResults, VariationResults } from '../../../models/measurements/measured-results.ts'
import type { Measurement } from '../../../models/measurements/measurement.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { expand } from '../../../operation/schema.ts'
import { type AnalysisOptions, type MetricAnalysis, sampleRatioOf } from '../../../rules/experiments/analysis.ts'
import { type AnalysisResponse, type experimentResultsResponse, type MetricResult, methods } from '../results-schema.ts'
import { analyzeAll, type NamedAnalysis } from './group-analyses.ts'

const corrections = ['none', 'holm', 'benjamini-hochberg'] as const

const levelNumber = v.pipe(
  v.number(),
  v.minValue(0.0001, 'must be at least 0.0001'),
  v.maxValue(0.5, 'must be at most 0.5'),
)

const level = v.union([
  v.pipe(v.string(), v.regex(/^0\.\d{1,6}$/, 'must be a number between 0 and 1'), v.transform(Number), levelNumber),
  levelNumber,
])

/** Parameters of the operations that return the results of all metrics. */
export const analysisQuery = {
  method: v.optional(v.picklist(methods, `must be one of ${methods.join(', ')}`), 'bayesian'),
  level: v.optional(level, 0.05),
  correction: v.optional(v.picklist(corrections, `must be one of ${corrections.join(', ')}`), 'holm'),
  expand: expand('days'),
}

/** A variation in results. */
interface ComparedTreatment {
  readonly id: string
  readonly name: string
  /** True for the treatment with which the others are compared. */
  readonly baseline: boolean
}

interface ComparedTreatments {
  /** In the order of the variations of the measurement. */
  readonly treatments: readonly ComparedTreatment[]
  /** Expected percent of the units of each treatment. */
  readonly allocations: readonly number[]
  readonly query: v.InferOutput<v.ObjectSchema<typeof analysisQuery, undefined>> & {
    readonly varianceReduction?: 'none' | 'cuped'
  }
}

/** Analyzes the measured sums, and serializes the results. */
export function serializeResults(
  format: ReadContext['format'],
  { measurement, ...measured }: MeasuredResults,
  { treatments, allocations, query }: ComparedTreatments,
): Omit<v.InferOutput<typeof experimentResultsResponse>, 'iterationId'> {
  const { startedAt, endedAt } = measurement
  const options: AnalysisOptions = {
    method: query.method,
    level: query.level,
    correction: query.correction === 'none' ? undefined : query.correction,
    varianceReduction: query.varianceReduction === 'cuped' ? 'cuped' : undefined,
    baseline: treatments.findIndex(({ baseline }) => baseline),
  }
  const resultsOf = (variations: readonly VariationResults[]) =>
    serializeAnalysis(measurement, variations, { treatments, options })
  return {
    status: endedAt === undefined ? 'running' : 'stopped',
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
    sampleRatio: sampleRatioOf(measured.variations, allocations),
    ...resultsOf(measured.variations),
    ...(query.expand.includes('days')
      ? { days: measured.days.map(({ day, variations }) => ({ date: day, ...resultsOf(variations) })) }
      : {}),
    attributes: measured.attributes.map(({ attribute, values }) => ({
      attribute,
      values: values.map(({ value, variations }) => ({ value, ...resultsOf(variations) })),
    })),
  }
}

function serializeAnalysis(
  measurement: Measurement,
  variations: readonly VariationResults[],
  { treatments, options }: { readonly treatments: readonly ComparedTreatment[]; readonly options: AnalysisOptions },
): AnalysisResponse {
  const { metrics, groups } = analyzeAll(measurement, variations, options)
  const serializeNamed = (analysis: NamedAnalysis) => ({
    ...serializeMetric(treatments, analysis),
    name: analysis.name,
  })
  return {
    metrics: metrics.map((analysis) => serializeMetric(treatments, analysis)),
    metricGroups: groups.map(({ key, name, kind, metrics: metricsOfGroup, completion }) => ({
      key,
      name,
      kind,
      metrics: metricsOfGroup.map(serializeNamed),
      ...(completion ? { completion: serializeNamed(completion) } : {}),
    })),
  }
}

function serializeMetric(
  treatments: readonly ComparedTreatment[],
  { definition, treatments: results }: MetricAnalysis,
): MetricResult {
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
