import type { AutomatedRelease } from '../../models/flags/automated-release.ts'
import type { ConfigKeys } from '../../models/flags/flag-config.ts'
import {
  type MeasuredResults,
  type MetricResults,
  measuredResults,
} from '../../models/measurements/measured-results.ts'
import { defaultSampleSize } from '../../rules/release/automation.ts'
import { checkGuardrails, type GuardrailReport, meanOf, proportionOf, ratioOf } from '../../rules/statistics/index.ts'
import { wholeWeight } from '../../rules/targeting/serve.ts'
import type { Reader } from '../../storage/reader.ts'

/** The result of the comparison of both variations of a guarded release. */
export type Judgment =
  | { readonly verdict: 'healthy' }
  | { readonly verdict: 'collecting'; readonly reason: string }
  /** `report`: key of the metric, or `sampleRatio`. */
  | { readonly verdict: 'regression'; readonly reason: string; readonly report: string; readonly rollsBack: boolean }

/**
 * Probability that a guarded release without a regression is stopped, over all of its stages and metrics. The test
 * stays valid although it is repeated after all new events: an asymptotic confidence sequence (Waudby-Smith et al.
 * 2021, "Time-uniform central limit theory and asymptotic confidence sequences"), see `sequentialFactor` in
 * `rules/statistics`.
 */
const level = 0.05

/** Name of the report of a sample-ratio mismatch: some contexts are not counted, so the metrics are wrong. */
export const sampleRatioReport = 'sampleRatio'

/** Judges a guarded release by everything that was measured in its current stage. */
export async function judgeRelease(tx: Reader, keys: ConfigKeys, release: AutomatedRelease): Promise<Judgment> {
  const { guard, stages, stage } = release
  if (!guard?.judged?.length || guard.measurementId === undefined) return { verdict: 'healthy' }
  const results = await measuredResults(tx, { ...keys, measurementId: guard.measurementId })
  const tooFew = { verdict: 'collecting', reason: `fewer than ${guard.minSampleSize} contexts per variation` } as const
  if (!results) return tooFew
  const accepted = new Set(guard.accepted)
  const report = checkRelease({ guard, stages, stage }, results, (key) => !accepted.has(key))
  if (report.verdict === 'sample-ratio-mismatch' && !accepted.has(sampleRatioReport)) {
    const units = results.variations.map((variation) => variation.units).join(' to ')
    const reason = `the ratio of contexts per variation, ${units}, is not that of the stage`
    return { verdict: 'regression', reason, report: sampleRatioReport, rollsBack: false }
  }
  const regressions = report.metrics.filter(({ verdict }) => verdict === 'regression').map(({ key }) => key)
  const judged = guard.judged.filter(({ key }) => regressions.includes(key))
  const worst = judged.find(({ rollsBack }) => rollsBack) ?? judged[0]
  if (worst) {
    const reason = `the metric ${worst.key} is worse with the new variation`
    return { verdict: 'regression', reason, report: worst.key, rollsBack: worst.rollsBack }
  }
  return report.metrics.some(({ verdict }) => verdict === 'collecting') ? tooFew : { verdict: 'healthy' }
}

/**
 * Compares the variations of a guarded release in one stage.
 *
 * @param results the measured results of the stage.
 * @param isCompared returns false for the key of a metric to leave out.
 */
export function checkRelease(
  { guard, stages, stage }: Pick<AutomatedRelease, 'guard' | 'stages' | 'stage'>,
  results: MeasuredResults,
  isCompared: (metricKey: string) => boolean = () => true,
): GuardrailReport {
  const weight = stages[stage]?.allocation ?? wholeWeight
  return checkGuardrails(
    guardedMetrics(results).filter(({ key }) => isCompared(key)),
    { counts: results.variations.map(({ units }) => units), weights: [wholeWeight - weight, weight] },
    { level: level / stages.length, minimumUnits: guard?.minSampleSize ?? defaultSampleSize },
  )
}

function guardedMetrics({ variations: [original, target] }: MeasuredResults) {
  return (original?.metrics ?? []).map((control, index) => ({
    key: control.definition.key,
    direction:
      control.definition.successCriteria === 'HigherThanBaseline' ? ('increase' as const) : ('decrease' as const),
    control: estimateOf(control),
    treatment: target?.metrics[index] && estimateOf(target.metrics[index]),
  }))
}

/**
 * Estimates a metric from its sums. Percentile metrics are compared by their means, because the sequential test is
 * valid for means.
 */
function estimateOf({ definition, sums }: MetricResults) {
  if (definition.denominator) return ratioOf(sums)
  return definition.value === 'conversion' ? proportionOf(sums) : meanOf(sums)
}
