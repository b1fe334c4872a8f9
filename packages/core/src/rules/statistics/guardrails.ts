import { compareMeans } from './compare-means.ts'
import type { Direction, SequentialComparison } from './comparison.ts'
import type { MetricEstimate } from './metric-estimate.ts'
import { type SampleRatio, sequentialSampleRatioTest } from './sample-ratio.ts'
import { defaultMinimumUnits } from './sequential-test.ts'

/** A metric that a release must not make worse. */
export interface GuardedMetric {
  readonly key: string
  /** The desired change of the metric. The opposite change is a regression. */
  readonly direction: Direction
  /** Estimate for the old variation; undefined while it has too few units for an estimate. */
  readonly control: MetricEstimate | undefined
  /** Estimate for the new variation; undefined while it has too few units for an estimate. */
  readonly treatment: MetricEstimate | undefined
  /** Accepted worsening, as a share of the control: 0.01 for 1 percent; default 0. */
  readonly margin?: number
}

/** Options of {@link checkGuardrails}. */
export interface GuardrailOptions {
  /** Probability that a release without regression is stopped, 0 to 1, both excluded; default 0.05. */
  readonly level?: number
  /** Units that each variation must have before a metric is judged; default 100. */
  readonly minimumUnits?: number
  /** Units of both variations for which the test is tuned; default 5,000. */
  readonly tuningUnits?: number
  /** Level of the test of the sample ratio; default 0.001. */
  readonly sampleRatioLevel?: number
}

/** The state of one guarded metric. */
export interface GuardrailResult {
  readonly key: string
  /** `collecting` while a variation has too few units. */
  readonly verdict: 'collecting' | 'healthy' | 'regression'
  readonly comparison?: SequentialComparison
}

/** The state of a guarded release. */
export interface GuardrailReport {
  /** `sample-ratio-mismatch` if the metrics cannot be trusted; otherwise the worst verdict of a metric. */
  readonly verdict: 'collecting' | 'healthy' | 'regression' | 'sample-ratio-mismatch'
  readonly metrics: readonly GuardrailResult[]
  readonly sampleRatioPValue: number
}

/**
 * Judges a guarded release. It can be called at any time and any number of times: over the whole release, the
 * probability of reporting a regression that does not exist is at most `level`, for all metrics together. Each metric
 * is tested at the level divided by the number of metrics (Bonferroni), by the sequential method of {@link
 * compareMeans}; the ratio of units is tested by {@link sequentialSampleRatioTest}.
 *
 * @param metrics the metrics, with estimates of both variations.
 * @param periods number of units of both variations, and their shares, in each period with constant shares.
 * @param options levels, minimum and tuning.
 * @throws RangeError for an option out of its range.
 */
export function checkGuardrails(
  metrics: readonly GuardedMetric[],
  periods: SampleRatio | readonly SampleRatio[],
  options: GuardrailOptions = {},
): GuardrailReport {
  const { level = 0.05, minimumUnits = defaultMinimumUnits, tuningUnits, sampleRatioLevel } = options
  const results = metrics.map(({ key, direction, control, treatment, margin = 0 }): GuardrailResult => {
    const comparison =
      control &&
      treatment &&
      compareMeans(control, treatment, {
        method: 'sequential',
        level: level / metrics.length,
        direction,
        minimumUnits,
        ...(tuningUnits === undefined ? {} : { tuningUnits }),
      })
    if (!comparison) return { key, verdict: 'collecting' }
    return { key, verdict: isRegression(comparison, direction, margin) ? 'regression' : 'healthy', comparison }
  })
  const { pValue, mismatch } = sequentialSampleRatioTest(periods, sampleRatioLevel)
  return {
    verdict: mismatch ? 'sample-ratio-mismatch' : worstOf(results),
    metrics: results,
    sampleRatioPValue: pValue,
  }
}

/** Returns true if the whole interval of the change is worse than the accepted one. */
function isRegression(
  { verdict, relativeDifference }: SequentialComparison,
  direction: Direction,
  margin: number,
): boolean {
  if (margin === 0 || !relativeDifference) return verdict === 'worse'
  return direction === 'increase' ? relativeDifference.upper < -margin : relativeDifference.lower > margin
}

function worstOf(results: readonly GuardrailResult[]): GuardrailResult['verdict'] {
  const verdicts = ['regression', 'collecting', 'healthy'] as const
  return verdicts.find((verdict) => results.some((result) => result.verdict === verdict)) ?? 'healthy'
}
