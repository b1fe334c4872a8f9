import type { Fraction, PlainInput, PlainMetric } from '../../../rules/insight-score/plain-scores.fixture.ts'
import { day, type InsightAccount, production } from './insight-account.ts'
import months from './real-months.json'

/** A release of a real project. Times are integers in ms. */
interface Release {
  readonly application: string
  readonly at: number
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
    (releases as [number, number[]][]).map(([at, leadTimes], i) => ({
      application,
      at: begin + at * 1000,
      failed: i + 1 < releases.length && (releases[i + 1]![0] as number) - at <= 2 * 3600,
      leadTimes,
    })),
  )
}

/** Reports releases and their commits to an account. */
export async function tell({ api, as, deployed }: InsightAccount, releases: readonly Release[]): Promise<void> {
  for (const { application, at, failed, leadTimes } of releases) {
    await deployed(failed ? 'failed' : 'finished', at, application)
    const samples = leadTimes.map((seconds, i) => ({
      externalId: `${application} ${at} ${i}`,
      applicationKey: application,
      startedAt: at - seconds * 1000,
      mergedAt: at,
      deployedAt: at,
    }))
    if (samples.length > 0) await api.createLeadTimeSamples({ body: { ...production, samples } }, { as })
  }
}

/**
 * Computes the inputs of scores (D26) for the thirty days that end at a time (inclusive), independently of the
 * implementation.
 *
 * @param applicationKeys applications to include.
 * @param end ms.
 */
export function plainInputs(
  releases: readonly Release[],
  wanted: readonly string[],
  end: number,
): Readonly<Record<PlainMetric, PlainInput>> {
  const ours = releases.filter(({ application }) => wanted.includes(application))
  const recent = ours.filter(({ at }) => end - 30 * day < at && at <= end)
  const failed = recent.filter((release) => release.failed).length
  const hours = medianOf(recent.flatMap(({ leadTimes }) => leadTimes))
  const heard = (input: PlainInput) => (ours.length === 0 ? 'unknown' : input)
  return {
    deploymentFrequency: heard([recent.length - failed, 30]),
    deploymentFailureRate: heard(recent.length === 0 ? 'notCalculated' : [failed, recent.length]),
    leadTime: heard(hours ?? 'notCalculated'),
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
