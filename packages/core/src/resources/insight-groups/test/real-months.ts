import type { Fraction, PlainInput, PlainMetric } from '../../../rules/insight-score/plain-scores.fixture.ts'
import { day, type InsightAccount, production } from './insight-account.ts'
import months from './real-months.json'

/** A release of a real project. Times are integers in ms. */
interface Release {
  readonly application: string
  readonly time: number
  /** Git histories contain no failures: here a release failed when the next one followed within two hours. */
  readonly failed: boolean
  /** Times from each commit to the release, in seconds. */
  readonly leadTimes: readonly number[]
}

export const applications = Object.keys(months.applications)

/**
 * Returns all releases of the ninety days, by application and time.
 *
 * @param begin start of the ninety days, ms.
 */
export function releasesFrom(begin: number): Release[] {
  return Object.entries(months.applications).flatMap(([application, releases]) =>
    (releases as [number, number[]][]).map(([time, leadTimes], i) => ({
      application,
      time: begin + time * 1000,
      failed: i + 1 < releases.length && (releases[i + 1]![0] as number) - time <= 2 * 3600,
      leadTimes,
    })),
  )
}

/** Reports releases and their commits to an account. */
export async function reportReleases(
  { api, as, deployed }: InsightAccount,
  releases: readonly Release[],
): Promise<void> {
  for (const { application, time, failed, leadTimes } of releases) {
    await deployed(failed ? 'failed' : 'finished', time, application)
    const samples = leadTimes.map((seconds, i) => ({
      externalId: `${application} ${time} ${i}`,
      applicationKey: application,
      startedAt: time - seconds * 1000,
      mergedAt: time,
      deployedAt: time,
    }))
    if (samples.length > 0) await api.createLeadTimeSamples({ body: { ...production, samples } }, { as })
  }
}

/**
 * Computes the inputs of scores (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores) for the thirty days
 * that end at a time (inclusive), independently of the implementation.
 *
 * @param applicationKeys applications to include.
 * @param end ms.
 */
export function plainInputs(
  releases: readonly Release[],
  applicationKeys: readonly string[],
  end: number,
): Readonly<Record<PlainMetric, PlainInput>> {
  const matching = releases.filter(({ application }) => applicationKeys.includes(application))
  const recent = matching.filter(({ time }) => end - 30 * day < time && time <= end)
  const failed = recent.filter((release) => release.failed).length
  const hours = medianOf(recent.flatMap(({ leadTimes }) => leadTimes))
  const unlessUnknown = (input: PlainInput) => (matching.length === 0 ? 'unknown' : input)
  return {
    deploymentFrequency: unlessUnknown([recent.length - failed, 30]),
    deploymentFailureRate: unlessUnknown(recent.length === 0 ? 'notCalculated' : [failed, recent.length]),
    leadTime: unlessUnknown(hours ?? 'notCalculated'),
    impactSize: 'unknown',
    experimentationCoverage: 'unknown',
    flagHealth: 'notCalculated',
    creationRatio: 'notCalculated',
  }
}

/** Returns the median in hours. */
function medianOf(seconds: readonly number[]): Fraction | undefined {
  if (seconds.length === 0) return undefined
  const sorted = seconds.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  if (sorted.length % 2 === 1) return [sorted[Math.floor(middle)]!, 3600]
  return [sorted[middle - 1]! + sorted[middle]!, 7200]
}
